import { describe, expect, test } from 'vitest';
import { claim, compute, gates, render, type Surroundings, vmi } from './fixture.ts';

const OBSOLETE = { key: 'node-labeller.kubevirt.io/obsolete-host-model', operator: 'DoesNotExist' };
const required = (...terms: object[]) => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
});
const selectorOf = (parts: Parameters<typeof vmi>[0], around?: Surroundings) => {
  const { 'kubevirt.io/schedulable': _, ...selector } = render(vmi(parts), around).spec.nodeSelector ?? {};
  return selector;
};
const affinityOf = (parts: Parameters<typeof vmi>[0], around?: Surroundings) =>
  render(vmi(parts), around).spec.affinity;

describe('node selector', () => {
  test('pod case 20: later selectors overwrite earlier ones', () => {
    const { nodeSelector } = render(vmi({ spec: { nodeSelector: { b: '2', 'kubevirt.io/schedulable': 'false' } } }), {
      configuration: { developerConfiguration: { nodeSelectors: { a: '1', b: '1' } } },
    }).spec;
    expect(nodeSelector).toEqual({ a: '1', b: '2', 'kubevirt.io/schedulable': 'false' });
  });

  test('pod case 21: architecture', () => {
    expect(selectorOf({ spec: { architecture: 'ARM64' } })).toEqual({ 'kubernetes.io/arch': 'arm64' });
    expect(selectorOf({ spec: { architecture: '' } })).toEqual({});
  });

  test('pod case 22: CPU model and features', () => {
    const features = [
      { name: 'lahf_lm', policy: 'require' },
      { name: 'mmx', policy: 'disable' },
      { name: 'ssse3', policy: 'forbid' },
      { name: 'x', policy: '' },
    ];
    const parts = { domain: { cpu: { model: 'Conroe', features } } };
    expect(selectorOf(parts)).toEqual({
      'cpu-model.node.kubevirt.io/Conroe': 'true',
      'cpu-feature.node.kubevirt.io/lahf_lm': 'true',
      'cpu-feature.node.kubevirt.io/x': 'true',
    });
    expect(affinityOf(parts)).toEqual(
      required({ matchExpressions: [{ key: 'cpu-feature.node.kubevirt.io/ssse3', operator: 'DoesNotExist' }] }),
    );
  });

  test('pod case 23: features count only beside a model', () => {
    const parts = { domain: { cpu: { features: [{ name: 'vmx', policy: 'require' }] } } };
    expect(selectorOf(parts)).toEqual({});
    expect(affinityOf(parts)).toEqual(required({ matchExpressions: [OBSOLETE] }));
  });

  test("pod case 27: the status' machine type wins", () => {
    const parts = { domain: { machine: { type: 'q35' } }, status: { machine: { type: 'pc-q35-9.0' } } };
    expect(selectorOf(parts)).toEqual({ 'machine-type.node.kubevirt.io/pc-q35-9.0': 'true' });
  });

  test('pod case 28: Hyper-V features', () => {
    const strict = gates('HypervStrictCheck');
    const on = { enabled: true };
    const all = { vpindex: on, runtime: on, reset: on, synic: on, relaxed: on, evmcs: {} };
    expect(selectorOf({ domain: { features: { hyperv: all } } })).toEqual({});
    const hyperv = { synic: on, synictimer: on, frequencies: on, ipi: on, relaxed: on, vapic: on, spinlocks: on };
    expect(Object.keys(selectorOf({ domain: { features: { hyperv } } }, strict)).sort()).toEqual([
      'hyperv.node.kubevirt.io/frequencies',
      'hyperv.node.kubevirt.io/ipi',
      'hyperv.node.kubevirt.io/synic',
      'hyperv.node.kubevirt.io/synictimer',
    ]);
    const intel = { 'cpu-vendor.node.kubevirt.io/Intel': 'true' };
    expect(selectorOf({ domain: { features: { hyperv: { evmcs: {} } } } }, strict)).toEqual(intel);
    expect(selectorOf({ domain: { features: { hyperv: { evmcs: { enabled: false } } } } }, strict)).toEqual({});
    expect(selectorOf({ domain: { features: { hyperv: {} } } }, strict)).toEqual({});
  });

  test('pod case 29: time stamp counter', () => {
    const selector = { 'scheduling.node.kubevirt.io/tsc-frequency-123123': 'true' };
    const withPolicy = (policy: string, tscFrequency?: number) =>
      selectorOf({
        domain: { cpu: { features: [{ name: 'invtsc', policy }] } },
        status: { topologyHints: { tscFrequency } },
      });
    expect(withPolicy('require', 123123)).toEqual(selector);
    expect(withPolicy('require')).toEqual({});
    expect(withPolicy('require', 0)).toEqual({});
    expect(withPolicy('', 123123)).toEqual({});
    const reenlightenment = { features: { hyperv: { reenlightenment: { enabled: true } } } };
    const status = { topologyHints: { tscFrequency: 123123 } };
    expect(selectorOf({ domain: reenlightenment, status })).toEqual(selector);
  });

  test('pod case 30: confidential guests', () => {
    const keysOf = (launchSecurity: object, spec: object = {}) =>
      Object.keys(selectorOf({ spec, domain: { launchSecurity } })).filter((k) => k !== 'kubernetes.io/arch');
    expect(keysOf({ sev: { policy: { encryptedState: true } } })).toEqual(['kubevirt.io/sev', 'kubevirt.io/sev-es']);
    expect(keysOf({ snp: {} })).toEqual(['kubevirt.io/sev', 'kubevirt.io/sev-snp']);
    expect(keysOf({ sev: { policy: {} } })).toEqual(['kubevirt.io/sev']);
    expect(keysOf({ tdx: {} })).toEqual(['kubevirt.io/tdx']);
    expect(keysOf({}, { architecture: 's390x' })).toEqual(['kubevirt.io/s390-pv']);
  });

  test('pod case 31: any architecture will do', () => {
    const parts = { spec: { architecture: 'arm64', nodeSelector: { 'kubernetes.io/arch': 'arm64' } } };
    const around = gates('CrossArchitectureVirtualization');
    expect(selectorOf(parts, around)).toEqual({ 'kubevirt.io/vm-arch-arm64': 'true' });
    expect(affinityOf(parts, around)?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution).toEqual([
      {
        weight: 100,
        preference: { matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] },
      },
    ]);
    expect(compute(vmi(parts), around).command).toEqual([
      '/usr/bin/virt-launcher-monitor',
      '--allow-cross-arch-emulation',
    ]);
  });
});

describe('affinity', () => {
  test('pod case 24: nothing to add, none given', () => {
    expect(render(vmi({ domain: { cpu: { model: 'host-passthrough' } } })).spec).not.toHaveProperty('affinity');
  });

  test('pod case 25: the rule goes to every required term, or makes one', () => {
    const zone = { key: 'zone', operator: 'Exists' };
    const byName = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] };
    const two = required({ matchExpressions: [zone] }, byName);
    expect(affinityOf({ spec: { affinity: two } })).toEqual(
      required({ matchExpressions: [zone, OBSOLETE] }, { ...byName, matchExpressions: [OBSOLETE] }),
    );
    const preferred = [{ weight: 1, preference: { matchExpressions: [zone] } }];
    const soft = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } };
    expect(affinityOf({ spec: { affinity: soft } })).toEqual({
      nodeAffinity: { ...soft.nodeAffinity, ...required({ matchExpressions: [OBSOLETE] }).nodeAffinity },
    });
    expect(affinityOf({ spec: { affinity: required() } })).toEqual(required());
  });

  test('pod case 26: pod affinity of the user stays', () => {
    const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] };
    expect(affinityOf({ spec: { affinity: { podAffinity } } })).toEqual({
      podAffinity,
      ...required({ matchExpressions: [OBSOLETE] }),
    });
  });

  const reserving = (...claimNames: string[]) => ({
    devices: { disks: claimNames.map((_, i) => ({ name: `d${i}`, lun: { reservation: true } })) },
    spec: {
      volumes: claimNames.map((claimName, i) => ({ name: `d${i}`, persistentVolumeClaim: { claimName } })),
      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    },
  });
  const holder = (uid: string) => ({
    labelSelector: { matchExpressions: [{ key: `pr.kubevirt.io/${uid}`, operator: 'Exists' }] },
    topologyKey: 'kubernetes.io/hostname',
  });

  test('pod case 32: persistent reservations', () => {
    const claims = [claim('a', {}, { uid: 'u1' }), claim('b', {}, { uid: 'u2' })];
    const pod = render(vmi(reserving('a', 'b', 'a')), { related: { claims } });
    expect(pod.metadata.labels).toMatchObject({ 'pr.kubevirt.io/u1': '', 'pr.kubevirt.io/u2': '' });
    expect(pod.spec.affinity?.podAntiAffinity).toEqual({
      requiredDuringSchedulingIgnoredDuringExecution: [holder('u1'), holder('u2')],
      preferredDuringSchedulingIgnoredDuringExecution: [],
    });
    expect(pod.spec.containers[0]?.resources?.limits?.['devices.kubevirt.io/pr-helper']).toBe('1');
  });

  test('pod case 33: a reservation on a hotplug volume whose claim is gone', () => {
    const parts = reserving('gone');
    const instance = vmi({ ...parts, status: { volumeStatus: [{ name: 'd0', hotplugVolume: {}, target: '' }] } });
    const pod = render(instance);
    expect(Object.keys(pod.metadata.labels ?? {}).filter((k) => k.startsWith('pr.'))).toEqual([]);
    expect(pod.spec.affinity?.podAntiAffinity).toEqual(parts.spec.affinity.podAntiAffinity);
    expect(pod.spec.containers[0]?.resources?.requests?.['devices.kubevirt.io/pr-helper']).toBe('1');
  });
});
