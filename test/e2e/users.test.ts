import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import type { Node, Pod, VirtualMachine, VirtualMachineInstance } from '../../functions/core/objects.ts';
import { smallVm, until } from './support/cluster-player.ts';
import { usePlayedStack } from './support/played-stack.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'users-'));
const used = usePlayedStack('users');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function vmNamed(name: string): Promise<VirtualMachine | undefined> {
  return used.player.list<VirtualMachine>('virtualmachines').then((vms) => vms.find((vm) => vm.metadata.name === name));
}

async function apply(object: object): Promise<void> {
  const file = join(folder, 'vm.json');
  writeFileSync(file, JSON.stringify(object));
  await run(used.stack.kubectl, ['--namespace', 'users', 'apply', '-f', file]);
}

test('kubectl apply, start, apply again without a field: the field is gone', async () => {
  const vm = smallVm('applied') as { spec: { template: { spec: { hostname?: string } } } };
  vm.spec.template.spec.hostname = 'first';
  await apply(vm);
  await until('running', async () => (await vmNamed('applied'))?.status?.printableStatus === 'Running');
  expect((await vmNamed('applied'))?.spec.template.spec?.hostname).toBe('first');
  delete vm.spec.template.spec.hostname;
  await apply(vm);
  const after = await vmNamed('applied');
  expect(after?.spec.template.spec?.hostname).toBeUndefined();
  // The controller's own additions are not the user's to remove.
  expect(after?.spec.template.spec?.domain.firmware?.uuid).toBeDefined();
  await until(
    'a restart is asked for',
    async () => (await vmNamed('applied'))?.status?.conditions?.some((c) => c.type === 'RestartRequired') ?? false,
  );
});

test('a spec that cannot be rendered gets its condition; the others go on', async () => {
  const broken = smallVm('broken', { metadata: { annotations: { 'hooks.kubevirt.io/hookSidecars': 'not json' } } });
  await used.stack.request('POST', '/apis/kubevirt.io/v1/namespaces/users/virtualmachines', broken);
  await used.stack.request('POST', '/apis/kubevirt.io/v1/namespaces/users/virtualmachines', smallVm('sound'));
  await until('the sound one runs', async () => (await vmNamed('sound'))?.status?.printableStatus === 'Running');
  await until('the broken one says why', async () => {
    const vmis = await used.player.list<VirtualMachineInstance>('virtualmachineinstances');
    const condition = vmis
      .find((v) => v.metadata.name === 'broken')
      ?.status?.conditions?.find((c) => c.type === 'Synchronized');
    return condition?.status === 'False' && condition.reason === 'FailedCreate';
  });
  expect(used.player.podsOf.has('broken')).toBe(false);
});

test('a hook sidecar’s ConfigMap that comes late, of which only metadata is read', async () => {
  const hookSidecars = JSON.stringify([{ image: 'hook', configMap: { name: 'late', key: 'k', hookPath: '/hook' } }]);
  const vmis = '/apis/kubevirt.io/v1/namespaces/users/virtualmachineinstances';
  await used.stack.request('POST', vmis, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'hooked', annotations: { 'hooks.kubevirt.io/hookSidecars': hookSidecars } },
    spec: { domain: { devices: {}, memory: { guest: '64Mi' } } },
  });
  const hooked = async () =>
    (await used.player.list<VirtualMachineInstance>('virtualmachineinstances')).find(
      (v) => v.metadata.name === 'hooked',
    );
  await until('it says why it waits', async () => {
    const conditions = (await hooked())?.status?.conditions ?? [];
    return conditions.some((c) => c.type === 'Synchronized' && c.reason === 'FailedCreate');
  });
  await used.stack.request('POST', '/api/v1/namespaces/users/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'late' },
    data: { k: '#!/bin/sh' },
  });
  await until('it runs', async () => (await hooked())?.status?.phase === 'Running');
});

test('a guest that relies on the time stamp counter: hints for the VMI, a label for the node that it goes to', async () => {
  const OFFER = 'scheduling.node.kubevirt.io/tsc-frequency-2000000000';
  await used.stack.request(
    'PATCH',
    '/api/v1/nodes/played',
    { metadata: { labels: { 'cpu-timer.node.kubevirt.io/tsc-frequency': '2000000000' } } },
    'application/merge-patch+json',
  );
  const labels = async () =>
    ((await used.stack.request('GET', '/api/v1/nodes/played')) as unknown as Node).metadata.labels ?? {};
  await until('the node offers its own frequency', async () => (await labels())[OFFER] === 'true');
  await used.stack.request('POST', '/apis/kubevirt.io/v1/namespaces/users/virtualmachineinstances', {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'counting' },
    spec: {
      architecture: 'amd64',
      domain: {
        devices: {},
        memory: { guest: '64Mi' },
        cpu: { features: [{ name: 'invtsc', policy: 'require' }] },
      },
    },
  });
  const counting = async () =>
    (await used.player.list<VirtualMachineInstance>('virtualmachineinstances')).find(
      (v) => v.metadata.name === 'counting',
    );
  await until('it runs', async () => (await counting())?.status?.phase === 'Running');
  expect((await counting())?.status?.topologyHints).toEqual({ tscFrequency: 2_000_000_000 });
});

test('resources behind Multus networks, with a kind of definitions that the cluster learns of late', async () => {
  const vmis = '/apis/kubevirt.io/v1/namespaces/users/virtualmachineinstances';
  const gates = (disabledFeatureGates: string[]) =>
    used.stack.request(
      'PATCH',
      '/apis/kubevirt.io/v1/namespaces/kubevirt/kubevirts/kubevirt',
      { spec: { configuration: { developerConfiguration: { disabledFeatureGates } } } },
      'application/merge-patch+json',
    );
  await gates(['ExternalNetResourceInjection']);
  const post = (name: string) =>
    used.stack.request('POST', vmis, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { name },
      spec: {
        domain: { devices: { interfaces: [{ name: 'blue', bridge: {} }] }, memory: { guest: '64Mi' } },
        networks: [{ name: 'blue', multus: { networkName: 'blue' } }],
      },
    });
  const instance = async (name: string) =>
    (await used.player.list<VirtualMachineInstance>('virtualmachineinstances')).find((v) => v.metadata.name === name);
  const fate = async (name: string) => {
    const { phase = '', conditions = [] } = (await instance(name))?.status ?? {};
    if (conditions.some((c) => c.type === 'Synchronized' && c.message?.includes('users/blue') === true)) return 'waits';
    return phase === '' || phase === 'Pending' ? 'unknown' : 'goes on';
  };
  // The first ones may come before the relay has seen the gate go.
  let posted = 0;
  let last = '';
  await until('one says that the definition is missing', async () => {
    const known = last === '' ? 'goes on' : await fate(last);
    if (known === 'goes on') await post((last = `networked-${posted++}`));
    return known === 'waits';
  });
  await used.stack.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'network-attachment-definitions.k8s.cni.cncf.io' },
    spec: {
      group: 'k8s.cni.cncf.io',
      scope: 'Namespaced',
      names: {
        plural: 'network-attachment-definitions',
        singular: 'network-attachment-definition',
        kind: 'NetworkAttachmentDefinition',
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  const definition = {
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: { name: 'blue', annotations: { 'k8s.v1.cni.cncf.io/resourceName': 'example.com/blue' } },
    spec: { config: '{}' },
  };
  await until('the definition is taken', () =>
    used.stack
      .request('POST', '/apis/k8s.cni.cncf.io/v1/namespaces/users/network-attachment-definitions', definition)
      .then(
        () => true,
        () => false,
      ),
  );
  await until('it has its pod', async () => (await instance(last))?.status?.phase === 'Running');
  const pod = (await used.player.list<Pod>('pods', '/api/v1')).find(
    (p) => p.metadata.labels?.['vm.kubevirt.io/name'] === last,
  );
  expect(pod?.spec.containers[0]?.resources?.limits?.['example.com/blue']).toBe('1');
  await gates([]);
});
