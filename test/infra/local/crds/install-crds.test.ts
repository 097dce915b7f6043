import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlPlane, startControlPlane } from '../../../../infra/local/control-plane/start-control-plane.ts';
import { definitions, installCrds } from '../../../../infra/local/crds/install-crds.ts';
import { installKubeVirt } from '../../../../infra/local/crds/install-kubevirt.ts';
import { type JsonObject, mergePatch } from '../../../../infra/local/kube-client.ts';

const execute = promisify(execFile);
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const virtualMachines = '/apis/kubevirt.io/v1/namespaces/default/virtualmachines';
const instances = '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances';

let dataDir: string;
let controlPlane: ControlPlane;
let request: ControlPlane['request'];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'vf-'));
  controlPlane = await startControlPlane({ dataDir, scheduler: false, controllerManager: false, durable: false });
  request = controlPlane.request;
  await installCrds(request);
});
afterAll(async () => {
  await controlPlane?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const spec = { domain: { devices: {} } };

function virtualMachine(name: string, more: object = {}): object {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name },
    spec: { running: true, template: { metadata: { labels: { a: 'b' } }, spec }, ...more },
  };
}

function instance(name: string, more: object = {}): object {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name },
    spec: { ...spec, ...more },
  };
}

async function kubectl(...args: string[]): Promise<string> {
  return (await execute(controlPlane.kubectlPath, args)).stdout;
}

describe('definitions', () => {
  test('a second installation writes nothing, a changed one is put right', async () => {
    const path = `${definitionsPath}/virtualmachines.kubevirt.io`;
    const version = (object: JsonObject): unknown => (object.metadata as { resourceVersion: string }).resourceVersion;
    const before = await request('GET', path);
    await installCrds(request);
    expect(version(await request('GET', path))).toBe(version(before));
    await request('PATCH', path, { spec: { names: { shortNames: ['other'] } } }, mergePatch);
    await installCrds(request);
    expect(((await request('GET', path)).spec as typeof before).names).toMatchObject({ shortNames: ['vm', 'vms'] });
  });

  test('all are established without a complaint about their schema', async () => {
    for (const definition of definitions) {
      const { status } = await request('GET', `${definitionsPath}/${definition.metadata.name}`);
      const conditions = (status as { conditions: { type: string; status: string }[] }).conditions;
      expect(conditions.map(({ type, status: value }) => `${type} ${value}`).sort()).toEqual([
        'Established True',
        'NamesAccepted True',
      ]);
    }
  });

  test('both versions are served, short names and the category all work', async () => {
    await request('POST', virtualMachines, virtualMachine('named'));
    for (const name of ['vm', 'vms', 'virtualmachines.v1alpha3.kubevirt.io']) {
      expect(await kubectl('get', name, 'named', '-o', 'name')).toBe('virtualmachine.kubevirt.io/named\n');
    }
    expect(await kubectl('get', 'all', '-o', 'name')).toContain('virtualmachine.kubevirt.io/named');
  });
});

describe('VirtualMachine', () => {
  test('printableStatus is Stopped as soon as there is a status', async () => {
    await request('POST', virtualMachines, virtualMachine('defaulted'));
    expect((await request('GET', `${virtualMachines}/defaulted`)).status).toBeUndefined();
    const path = `${virtualMachines}/defaulted/status`;
    await request('PATCH', path, { status: { created: false } }, mergePatch);
    const { status } = await request('GET', `${virtualMachines}/defaulted`);
    expect(status).toEqual({ created: false, printableStatus: 'Stopped' });
  });

  test('status is a subresource: each of the two writes leaves the other part alone', async () => {
    const sent = { ...virtualMachine('halves'), status: { ready: true } };
    expect((await request('POST', virtualMachines, sent)).status).toBeUndefined();
    const both = { spec: { running: false }, status: { ready: true } };
    const written = await request('PATCH', `${virtualMachines}/halves/status`, both, mergePatch);
    expect(written).toMatchObject({ spec: { running: true }, status: { ready: true }, metadata: { generation: 1 } });
  });

  test('unknown fields are kept, everywhere', async () => {
    const template = {
      metadata: { odd: 1, creationTimestamp: null },
      spec: { domain: { devices: { odd: 2, disks: [{ name: 'd', odd: 3 }] }, odd: 4 }, odd: 5 },
    };
    const created = await request('POST', virtualMachines, virtualMachine('odd', { template, odd: 6 }));
    expect(created.spec).toEqual({ running: true, template, odd: 6 });
  });

  test.each([
    ['no template', { template: undefined }, 'spec.template: Required'],
    ['a template without domain', { template: { spec: {} } }, 'spec.template.spec.domain: Required'],
    ['a domain without devices', { template: { spec: { domain: {} } } }, 'spec.template.spec.domain.devices: Required'],
    ['running as text', { running: 'yes' }, 'spec.running'],
    ['a run strategy that is no text', { runStrategy: 1 }, 'spec.runStrategy'],
  ])('%s is refused', async (_what, more, words) => {
    await expect(request('POST', virtualMachines, virtualMachine('broken', more))).rejects.toThrow(words);
  });

  test('columns', async () => {
    await request('POST', virtualMachines, virtualMachine('columns'));
    const status = { printableStatus: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await request('PATCH', `${virtualMachines}/columns/status`, { status }, mergePatch);
    const [heads, row] = (await kubectl('get', 'vm', 'columns')).trim().split('\n');
    expect(heads?.split(/\s+/)).toEqual(['NAME', 'AGE', 'STATUS', 'READY']);
    expect(row).toMatch(/^columns\s+\S+\s+Running\s+True$/);
  });

  test('kubectl applies one and removes a field with the next', async () => {
    const file = join(dataDir, 'vm.json');
    writeFileSync(file, JSON.stringify(virtualMachine('applied', { odd: 'here' })));
    await kubectl('apply', '-f', file);
    writeFileSync(file, JSON.stringify(virtualMachine('applied')));
    await kubectl('apply', '-f', file);
    expect((await request('GET', `${virtualMachines}/applied`)).spec).not.toHaveProperty('odd');
  });
});

describe('instance types and preferences', () => {
  const group = '/apis/instancetype.kubevirt.io/v1beta1';
  const instancetype = { cpu: { guest: 2 }, memory: { guest: '1Gi' } };
  const of = (kind: string, name: string, of: object = instancetype): object => ({
    apiVersion: 'instancetype.kubevirt.io/v1beta1',
    kind,
    metadata: { name },
    spec: of,
  });

  test('those of a namespace and of the cluster, by their short names', async () => {
    await request(
      'POST',
      `${group}/namespaces/default/virtualmachineinstancetypes`,
      of('VirtualMachineInstancetype', 'a'),
    );
    await request('POST', `${group}/virtualmachineclusterpreferences`, of('VirtualMachineClusterPreference', 'b', {}));
    expect(await kubectl('get', 'vmf', 'a', '-o', 'name')).toBe(
      'virtualmachineinstancetype.instancetype.kubevirt.io/a\n',
    );
    expect(await kubectl('get', 'vmcp', 'b', '-o', 'name')).toBe(
      'virtualmachineclusterpreference.instancetype.kubevirt.io/b\n',
    );
  });

  test('an instance type without memory is refused', async () => {
    const broken = of('VirtualMachineClusterInstancetype', 'c', { cpu: { guest: 1 } });
    const post = request('POST', `${group}/virtualmachineclusterinstancetypes`, broken);
    await expect(post).rejects.toThrow('spec.memory: Required');
  });
});

describe('VirtualMachineInstance', () => {
  test('status is written with the object, there is no subresource', async () => {
    const sent = { ...instance('whole'), status: { phase: 'Pending', odd: { deep: [1] } } };
    expect((await request('POST', instances, sent)).status).toEqual({ phase: 'Pending', odd: { deep: [1] } });
    const patch = request('PATCH', `${instances}/whole/status`, { status: { phase: 'Running' } }, mergePatch);
    await expect(patch).rejects.toThrow('404');
  });

  test.each([
    ['no devices', { domain: {} }, 'spec.domain.devices: Required'],
    ['a disk without name', { domain: { devices: { disks: [{}] } } }, 'disks[0].name: Required'],
    ['a volume without name', { volumes: [{ containerDisk: { image: 'i' } }] }, 'volumes[0].name: Required'],
    [
      'a container disk without image',
      { volumes: [{ name: 'v', containerDisk: {} }] },
      'containerDisk.image: Required',
    ],
    [
      '257 networks',
      { networks: Array.from({ length: 257 }, (_, n) => ({ name: `n${n}` })) },
      'spec.networks: Too many',
    ],
  ])('%s is refused', async (_what, more, words) => {
    await expect(request('POST', instances, instance('broken', more))).rejects.toThrow(words);
  });

  test('columns', async () => {
    const status = {
      phase: 'Running',
      nodeName: 'n1',
      interfaces: [{ ipAddress: '10.0.0.9' }],
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'LiveMigratable', status: 'False' },
        { type: 'Paused', status: 'True' },
      ],
    };
    await request('POST', instances, { ...instance('columns'), status });
    const heads = (text: string): string[] => text.split('\n')[0]?.trim().split(/\s+/) ?? [];
    expect(heads(await kubectl('get', 'vmi', 'columns'))).toEqual(['NAME', 'AGE', 'PHASE', 'IP', 'NODENAME', 'READY']);
    const wide = await kubectl('get', 'vmi', 'columns', '-o', 'wide');
    expect(heads(wide).slice(6)).toEqual(['LIVE-MIGRATABLE', 'PAUSED']);
    expect(wide).toMatch(/\s+Running\s+10\.0\.0\.9\s+n1\s+True\s+False\s+True$/m);
  });
});

describe('KubeVirt', () => {
  const path = '/apis/kubevirt.io/v1/namespaces/kubevirt/kubevirts/kubevirt';

  test('is deployed; a second installation keeps what the user has configured', async () => {
    await installKubeVirt(request, { useEmulation: true });
    const first = await request('GET', path);
    expect(first.status).toMatchObject({ phase: 'Deployed' });
    expect(first.spec).toEqual({ configuration: { developerConfiguration: { useEmulation: true } } });
    await request('PATCH', path, { spec: { configuration: { vmRolloutStrategy: 'Stage' } } }, mergePatch);
    await installKubeVirt(request, { useEmulation: false });
    expect((await request('GET', path)).spec).toEqual({
      configuration: { developerConfiguration: { useEmulation: false }, vmRolloutStrategy: 'Stage' },
    });
    expect(await kubectl('get', 'kv', '-n', 'kubevirt', '--no-headers')).toMatch(/^kubevirt\s+\S+\s+Deployed$/m);
  });
});
