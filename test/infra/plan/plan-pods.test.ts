import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Options } from '../../../infra/plan/options.ts';
import { parseOptions } from '../../../infra/plan/options.ts';
import { planPods } from '../../../infra/plan/plan-pods.ts';
import type { PlannedPod } from '../../../infra/plan/planned-pod.ts';

const folder = mkdtempSync(join(tmpdir(), 'virt-functions-plan-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(text: string): string {
  const path = join(folder, `${files++}.yaml`);
  writeFileSync(path, text);
  return path;
}

type Around = { readonly configuration?: string; readonly objects?: string } & Pick<Partial<Options>, 'launcherImage'>;

function options(text: string, { configuration, objects, ...more }: Around = {}): Options {
  return {
    files: [file(text)],
    objects: objects === undefined ? [] : [file(objects)],
    output: 'json',
    ...(configuration === undefined ? {} : { configuration: file(configuration) }),
    ...more,
  };
}

function planned(text: string, around?: Around): readonly PlannedPod[] {
  const { text: output, errors } = planPods(options(text, around));
  expect(errors).toEqual([]);
  return JSON.parse(output) as PlannedPod[];
}

function only(text: string, around?: Around) {
  const [plan] = planned(text, around);
  if (plan === undefined) throw new Error('nothing was planned');
  const { spec, metadata } = plan.pod as unknown as {
    spec: { containers: { name: string; image: string; resources: { requests: Record<string, string> } }[] };
    metadata: { annotations: Record<string, string>; namespace: string };
  };
  const because = (...path: string[]) => plan.reasons.find((r) => r.path.join() === path.join())?.because;
  const request = (resource: string) => ({
    value: spec.containers[0]?.resources.requests[resource],
    because: because('spec', 'containers', 'compute', 'resources', 'requests', resource),
  });
  return { plan, spec, metadata, because, request };
}

function errors(text: string, around?: Around): readonly string[] {
  const { text: output, errors: lines } = planPods(options(text, around));
  expect(output).toBe('');
  return lines.map((line) => line.replace(/^.*\/\d+\.yaml/, 'file'));
}

const vmi = (spec: string, metadata = '') => `
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: v, namespace: ns${metadata}}
spec: ${spec}
`;
const vm = (template: string) => `
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: web}
spec:
  runStrategy: Always
  template:
    spec:
      ${template}
`;
const kubevirt = (configuration: string) => `
apiVersion: kubevirt.io/v1
kind: KubeVirt
metadata: {name: kubevirt, namespace: kubevirt}
spec: {configuration: ${configuration}}
`;

describe('numbers and their reasons', () => {
  test('295168Ki: the guest, and an overhead whose terms are named and make the sum', () => {
    const { request, because, metadata } = only(vmi('{domain: {memory: {guest: 256Ki}}}'));
    expect(request('memory')).toEqual({
      value: '295168Ki',
      because: [
        '256Ki in spec.domain.memory.guest',
        '+ 288Mi memory overhead (its terms: annotation kubevirt.io/memory-overhead-bytes)',
      ],
    });
    const [heading, ...terms] = because('metadata', 'annotations', 'kubevirt.io/memory-overhead-bytes') ?? [];
    expect(heading).toBe('memory overhead in bytes, the sum of');
    expect(terms).toEqual([
      '25Mi launcher monitor',
      '100Mi launcher',
      '25Mi virtlogd',
      '40Mi virtqemud',
      '50Mi QEMU',
      '8Mi vCPUs: 1 x 8Mi',
      '8Mi IO thread',
      '32Mi graphics device',
    ]);
    const sum = terms.reduce((total, term) => total + Number.parseInt(term, 10), 0);
    expect(metadata.annotations['kubevirt.io/memory-overhead-bytes']).toBe(String(sum * 1024 * 1024));
  });

  test('the CPU request, shared and dedicated', () => {
    expect(only(vmi('{domain: {cpu: {cores: 3}}}')).request('cpu')).toEqual({
      value: '300m',
      because: ['(3 vCPUs + 0 IO threads) / cpuAllocationRatio 10'],
    });
    const dedicated = '{dedicatedCpuPlacement: true, isolateEmulatorThread: true, cores: 2}';
    expect(only(vmi(`{domain: {cpu: ${dedicated}}}`)).request('cpu')).toEqual({
      value: '3',
      because: ['2 dedicated vCPUs', '+ 1 for the isolated emulator thread'],
    });
  });

  test('placement, volumes and containers', () => {
    const disk = '{name: d, containerDisk: {image: "i:1"}}';
    const { because } = only(
      vmi(`{nodeSelector: {zone: a}, domain: {devices: {disks: [{name: d}]}}, volumes: [${disk}]}`),
    );
    expect(because('spec', 'nodeSelector', 'zone')).toEqual(['spec.nodeSelector']);
    expect(because('spec', 'affinity')?.[0]).toContain('obsolete-host-model');
    expect(because('spec', 'volumes', 'd')).toEqual(['container disk, as an image volume']);
    expect(because('spec', 'initContainers', 'volumed')?.[0]).toContain('a later migration');
    expect(because('spec', 'containers', 'compute')).toEqual(['runs the VM']);
  });

  test('YAML bears them as comments, and is the same pod', () => {
    const given = options(vm('domain: {memory: {guest: 1Gi}}'));
    const yaml = planPods({ ...given, output: 'yaml' }).text;
    const [plan] = JSON.parse(planPods(given).text) as PlannedPod[];
    expect(parse(yaml)).toEqual(plan?.pod);
    expect(yaml).toContain('cpu: 100m # (1 vCPUs + 0 IO threads) / cpuAllocationRatio 10');
    expect(yaml).toContain('# + 288Mi memory overhead');
    const texts = plan?.reasons.flatMap((r) => r.because) ?? [];
    expect(texts.length).toBeGreaterThan(20);
    for (const text of texts) expect(yaml).toContain(text);
  });
});

describe('what a manifest lacks', () => {
  test('admission fills in what rendering looks at', () => {
    const { plan, spec } = only(vmi('{domain: {}, volumes: [{name: d, containerDisk: {image: i}}]}'));
    expect(plan.filledIn).toEqual([
      'spec.architecture: amd64',
      'spec.domain.machine.type: q35',
      'spec.domain.cpu: 1 core, 1 sockets, 1 thread',
      'spec.domain.cpu.model: host-model',
      'spec.volumes[0].containerDisk.imagePullPolicy: Always',
      'status.runtimeUser: 107',
    ]);
    expect(JSON.stringify(spec)).toContain('--run-as-nonroot');
  });

  test('a VM gets the default network; the namespace is default', () => {
    const { plan, metadata } = only(vm('domain: {}'));
    expect(plan.of).toBe('VirtualMachine default/web');
    expect(metadata.namespace).toBe('default');
    expect(JSON.stringify(plan.pod)).toContain('devices.kubevirt.io/vhost-net');
  });

  test('claims are assumed to be there, unless a file has them', () => {
    const disk = vm('{domain: {}, volumes: [{name: d, persistentVolumeClaim: {claimName: c}}]}');
    expect(only(disk).plan.assumed).toEqual(['claim c: there, a file system, ReadWriteOnce']);
    const claim = '{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {volumeMode: Block}}';
    for (const { plan } of [only(disk, { objects: claim }), only(`${disk}---\n${claim}`)]) {
      expect(plan.assumed).toEqual([]);
      expect(plan.reasons).toContainEqual({ path: ['spec', 'volumes', 'd'], because: ['claim c, a block device'] });
    }
  });

  test("the VMI's state is assumed to have a claim", () => {
    const { plan } = only(vm('domain: {devices: {tpm: {persistent: true}}}'));
    expect(plan.assumed).toEqual(['claim persistent-state-for-web: there, a file system, ReadWriteOnce']);
  });

  test('configuration and launcher image are the cluster’s', () => {
    const configuration = kubevirt('{developerConfiguration: {cpuAllocationRatio: 2}}');
    const { request, spec } = only(vm('domain: {}'), { configuration, launcherImage: 'reg/launcher:v1' });
    expect(request('cpu').value).toBe('500m');
    expect(spec.containers[0]?.image).toBe('reg/launcher:v1');
  });

  test('quotas demand limits', () => {
    const quota = '{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard: {limits.memory: 1Gi}}}';
    const { because } = only(vm('domain: {memory: {guest: 1Gi}}'), { objects: quota });
    const [line] = because('spec', 'containers', 'compute', 'resources', 'limits', 'memory') ?? [];
    expect(line).toBe("1312Mi x 2: the namespace's quota demands a limit");
  });
});

describe('several objects', () => {
  test('documents, lists, JSON; other kinds are passed over', () => {
    const service = '{apiVersion: v1, kind: Service, metadata: {name: s}}';
    const list = `{apiVersion: v1, kind: List, items: [${service}, ${JSON.stringify({
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstance',
      metadata: { name: 'listed' },
      spec: { domain: {} },
    })}]}`;
    const plans = planned(`${vm('domain: {}')}---\n---\n${list}\n---\n${service}\n`);
    expect(plans.map((p) => p.of)).toEqual(['VirtualMachine default/web', 'VirtualMachineInstance default/listed']);
  });

  test('YAML keeps them apart', () => {
    const given = options(`${vm('domain: {}')}---${vmi('{domain: {}}')}`);
    expect(planPods({ ...given, output: 'yaml' }).text.match(/^kind: Pod$/gm)).toHaveLength(2);
  });
});

describe('instance types and preferences', () => {
  const vm = `
kind: VirtualMachine
metadata: {name: web}
spec:
  instancetype: {name: small}
  preference: {name: linux, kind: VirtualMachinePreference}
  template: {spec: {domain: {devices: {disks: [{name: a}]}}, volumes: [{name: a, emptyDisk: {capacity: 1Gi}}]}}`;
  const around = `
kind: VirtualMachineClusterInstancetype
metadata: {name: small}
spec: {cpu: {guest: 4}, memory: {guest: 1Gi}}
---
kind: VirtualMachinePreference
metadata: {name: linux}
spec: {cpu: {preferredCPUTopology: cores}, devices: {preferredDiskBus: sata}}
`;

  test.each([
    ['beside the VM', `${vm}\n---${around}`, {}],
    ['in a file of objects', vm, { objects: around }],
  ])('given %s', (_, text, more) => {
    const { request, metadata } = only(text, more);
    expect(request('cpu').value).toBe('400m');
    expect(metadata.annotations).toMatchObject({
      'kubevirt.io/cluster-instancetype-name': 'small',
      'kubevirt.io/preference-name': 'linux',
    });
  });

  test('what the VM sets itself is a conflict', () => {
    const text = `${vm.replace('domain: {', 'domain: {cpu: {cores: 2}, ')}\n---${around}`;
    expect(errors(text)).toEqual([
      'file:7: spec.template cannot be started: the instance type sets what is set already: spec.template.spec.domain.cpu.cores',
    ]);
  });

  test('one that does not fit its type, with its line', () => {
    expect(errors(`${vm}\n---${around.replace('guest: 4', 'guest: four')}`)).toEqual([
      'file:11: spec.cpu.guest is not a whole number',
    ]);
  });
});

describe('bad input: one line, with the field', () => {
  test.each([
    [
      'a wrong value',
      vm('domain: {cpu: {cores: two}}'),
      'file:9: spec.template.spec.domain.cpu.cores is not a whole number',
    ],
    ['a bad quantity', vmi('{domain: {memory: {guest: lots}}}'), 'file:5: spec.domain.memory.guest is not a quantity'],
    [
      'a member that is missing',
      vmi('{domain: {}, volumes: [{containerDisk: {image: i}}]}'),
      'file:5: spec.volumes[0].name is not there',
    ],
    [
      'a member that is not known',
      vmi('{domain: {cpus: {cores: 1}}}'),
      'file:5: spec.domain.cpus is no field of a VirtualMachineInstance',
    ],
    ['no template', '{kind: VirtualMachine, metadata: {name: a}, spec: {}}', 'file:1: spec.template is not there'],
    ['no name', '{kind: VirtualMachine, spec: {}}', 'file:1: metadata.name is not there'],
    ['no kind', '{metadata: {name: a}}', 'file:1: kind is not there'],
    ['no object', '- 1', 'file:1: is not an object'],
    ['no VM', '{kind: Pod}', 'file: no VirtualMachine or VirtualMachineInstance'],
    ['nothing', '', 'file: no VirtualMachine or VirtualMachineInstance'],
    [
      'instance types',
      '{kind: VirtualMachine, metadata: {name: a}, spec: {instancetype: {name: x}, template: {spec: {domain: {}}}}}',
      'file:1: spec.instancetype names what no file gives: VirtualMachineClusterInstancetype x not found',
    ],
    [
      'what cannot be rendered',
      vmi('{domain: {}, volumes: [{name: s, sysprep: {}}]}'),
      'file:5: spec.volumes[0].sysprep cannot be rendered: sysprep volume s names neither a secret nor a config map',
    ],
    [
      'a label',
      vmi('{domain: {}}', ', labels: {logVerbosity: high}'),
      'file:4: metadata.labels.logVerbosity cannot be rendered: label logVerbosity is no integer: high',
    ],
  ])('%s', (_, text, line) => {
    expect(errors(text)).toEqual([line]);
  });

  test('no YAML', () => {
    expect(errors('a: [1\nb: 2')).toEqual([expect.stringMatching(/^file:\d+: .+$/)]);
  });

  test('every bad object has its line', () => {
    const bad = vm('domain: {cpu: {cores: -1.5}}');
    expect(errors(`${bad}---${bad}---${vmi('{domain: {}}')}`)).toEqual([
      'file:9: spec.template.spec.domain.cpu.cores is not a whole number',
      'file:18: spec.template.spec.domain.cpu.cores is not a whole number',
    ]);
  });

  test('a configuration that virt-controller would not take over', () => {
    const line = (configuration: string) => errors(vm('domain: {}'), { configuration: kubevirt(configuration) });
    expect(line('{developerConfiguration: {cpuAllocationRatio: -1}}')).toEqual([
      'file:5: spec.configuration is refused: developerConfiguration.cpuAllocationRatio is -1',
    ]);
    expect(line('{developerConfiguration: {cpuAllocationRatio: 1.5}}')).toEqual([
      'file:5: spec.configuration.developerConfiguration.cpuAllocationRatio is not a whole number',
    ]);
    expect(line('{developerConfiguration: {cpuAllocationRatio: ten}}')).toEqual([
      'file:5: spec.configuration.developerConfiguration.cpuAllocationRatio does not fit its type',
    ]);
    expect(errors(vm('domain: {}'), { configuration: vm('domain: {}') })).toEqual(['file: no KubeVirt object']);
  });

  test('a file that is not there, options that are none', () => {
    const { errors: lines } = planPods({ files: [join(folder, 'gone.yaml')], objects: [], output: 'yaml' });
    expect(lines).toEqual([expect.stringContaining('gone.yaml: ENOENT')]);
    expect(() => parseOptions([])).toThrow('-f is not there');
    expect(() => parseOptions(['-f', 'x', '-o', 'xml'])).toThrow('yaml or json');
    expect(() => parseOptions(['--what'])).toThrow("'--what'");
    expect(parseOptions(['-f', 'a', 'b', '-o', 'json'])).toEqual({ files: ['a', 'b'], objects: [], output: 'json' });
  });
});
