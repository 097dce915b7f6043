import { describe, expect, test } from 'vitest';
import { named, names, other, problem, render, type Surroundings, vmi, withoutGates } from './fixture.ts';

const HOOKS = 'hooks.kubevirt.io/hookSidecars';
const disk = (name: string) => ({ name, containerDisk: { image: `reg.example/${name}` } });
const hooked = (sidecars: object[], parts: object = {}) =>
  vmi({ annotations: { [HOOKS]: JSON.stringify(sidecars) }, ...parts });
const dedicated = { domain: { cpu: { cores: 1, dedicatedCpuPlacement: true } } };
const support = (type: string, resources: object): Surroundings => ({
  configuration: { supportContainerResources: [{ type, resources }] },
});

describe('container disks as containers', () => {
  const off = withoutGates('ImageVolume');

  test('pod case 102: order, and the user that they run as', () => {
    const { spec } = render(vmi({ spec: { volumes: [disk('a'), disk('b')] }, status: { runtimeUser: 0 } }), off);
    expect(names(spec.initContainers)).toEqual([
      'guest-console-log',
      'container-disk-binary',
      'volumea-init',
      'volumeb-init',
    ]);
    expect(names(spec.containers)).toEqual(['compute', 'volumea', 'volumeb']);
    expect(named(spec.containers, 'volumea').securityContext?.runAsUser).toBe(107);
    expect(named(spec.initContainers, 'container-disk-binary').securityContext).toEqual({
      runAsUser: 0,
      runAsNonRoot: false,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('pod case 103: a disk of the name of the kernel-boot image', () => {
    const { spec } = render(vmi({ spec: { volumes: [disk('kernel-boot-volume')] } }), off);
    expect(names(spec.containers)).toEqual(['compute']);
    expect(names(spec.initContainers)).toEqual(['guest-console-log', 'container-disk-binary']);
  });

  test('a kernel-boot image is served like a disk', () => {
    const firmware = { kernelBoot: { container: { image: 'k' } } };
    const { spec } = render(vmi({ domain: { firmware } }), off);
    expect(named(spec.containers, 'volumekernel-boot-volume').args?.[1]).toMatch(/\/kernel-boot$/);
    expect(names(spec.initContainers)).toContain('volumekernel-boot-volume-init');
  });

  test('pod case 109: resources by the cluster’s limits, guaranteed', () => {
    const configuration = {
      developerConfiguration: { disabledFeatureGates: ['ImageVolume'] },
      ...support('container-disk', { limits: { cpu: '50m', memory: '20M' } }).configuration,
    };
    const { spec } = render(vmi({ ...dedicated, spec: { volumes: [disk('a')] } }), { configuration });
    const limits = { cpu: '50m', memory: '20M' };
    expect(named(spec.initContainers, 'container-disk-binary').resources).toEqual({ requests: limits, limits });
    const expected = { requests: { ...limits, 'ephemeral-storage': '50M' }, limits };
    expect(named(spec.initContainers, 'volumea-init').resources).toEqual(expected);
    expect(named(spec.containers, 'volumea').resources).toEqual(expected);
  });
});

test('pod case 104: console log', () => {
  const logs = (devices: object, configuration: object = {}) =>
    names(render(vmi({ devices }), { configuration }).spec.initContainers).includes('guest-console-log');
  const disabled = { virtualMachineOptions: { disableSerialConsoleLog: {} } };
  expect(logs({ logSerialConsole: true, autoattachSerialConsole: false })).toBe(false);
  expect(logs({ logSerialConsole: true }, disabled)).toBe(true);
  expect(logs({}, disabled)).toBe(false);
  expect(logs({ logSerialConsole: false })).toBe(false);
});

describe('hook sidecars', () => {
  const binding = { p: { sidecarImage: 'plugin', downwardAPI: 'device-info' } };

  test('pod case 105: of the annotation, then of plugins', () => {
    const interfaces = ['a', 'b'].map((name) => ({ name, binding: { name: 'p' } }));
    const around = { configuration: { network: { binding }, imagePullPolicy: 'Always' } };
    const { spec } = render(hooked([{ image: 'hook', imagePullPolicy: 'Never' }], { devices: { interfaces } }), around);
    expect(names(spec.containers)).toEqual(['compute', 'hook-sidecar-0', 'hook-sidecar-1']);
    const args = spec.containers[0]?.args ?? [];
    expect(args[args.indexOf('--hook-sidecars') + 1]).toBe('2');
    expect(spec.containers[1]).toMatchObject({ image: 'hook', imagePullPolicy: 'Never' });
    const plugin = spec.containers[2];
    expect(plugin).toMatchObject({ image: 'plugin', imagePullPolicy: 'Always' });
    expect(plugin?.env?.slice(-2)).toEqual([
      { name: 'CONTAINER_NAME', value: 'hook-sidecar-1' },
      { name: 'NETWORK_BINDING_PLUGIN_NAME', value: 'p' },
    ]);
    expect(plugin?.volumeMounts).toEqual([
      { name: 'hook-sidecar-sockets', mountPath: '/var/run/kubevirt-hooks', subPath: 'hook-sidecar-1' },
      { name: 'network-info-annotation', mountPath: '/etc/podinfo' },
    ]);
  });

  test('pod case 106: images and config maps', () => {
    const process = { sidecarShimImage: 'shim' };
    const configMap = { name: 'cm', key: 'k', hookPath: '/usr/bin/onDefineDomain' };
    const related = { sidecarConfigMaps: [other('ConfigMap', 'cm')] };
    const { spec } = render(hooked([{ configMap }]), { process, related });
    expect(spec.containers[1]?.image).toBe('shim');
    expect(spec.containers[1]?.volumeMounts).toContainEqual({
      name: 'cm',
      mountPath: '/usr/bin/onDefineDomain',
      subPath: 'k',
    });
    expect(spec.volumes?.at(-1)).toEqual({ name: 'cm', configMap: { name: 'cm', defaultMode: 493 } });
    expect(render(hooked([{}])).spec.containers[1]).not.toHaveProperty('image');
    expect(problem(hooked([{ configMap }]))).toEqual({ type: 'sidecar-config-map-not-found', name: 'cm' });
    expect(names(render(hooked([])).spec.containers)).toEqual(['compute']);
  });

  test.each(['', 'no', '{}', '[1]', '[{"image":1}]', '[{"args":"x"}]', '[{"configMap":[]}]'])(
    'pod case 106: annotation %j is no list of sidecars',
    (value) => {
      expect(problem(vmi({ annotations: { [HOOKS]: value } }))?.type).toBe('bad-sidecars');
    },
  );

  test('pod case 107: a claim that the sidecar shares with compute', () => {
    const pvc = { name: 'c', volumePath: '/in', sharedComputePath: '/shared' };
    const { spec } = render(hooked([{ image: 'i', pvc }]));
    expect(spec.volumes?.at(-1)).toEqual({ name: 'c', persistentVolumeClaim: { claimName: 'c' } });
    expect(spec.containers[0]?.volumeMounts?.at(-1)).toEqual({ name: 'c', mountPath: '/shared' });
    expect(spec.containers[1]?.volumeMounts?.at(-1)).toEqual({ name: 'c', mountPath: '/in' });
  });

  test('pod case 108: resources', () => {
    const requests = { cpu: '100m', memory: '3M' };
    const resourcesOf = (parts: object, around?: Surroundings) =>
      render(hooked([{ image: 'i' }], parts), around).spec.containers[1]?.resources;
    expect(resourcesOf({}, support('sidecar', { requests }))).toEqual({ requests });
    const guaranteed = { cpu: '200m', memory: '64M' };
    expect(resourcesOf(dedicated, support('sidecar', { requests }))).toEqual({
      requests: guaranteed,
      limits: guaranteed,
    });
    const limits = { cpu: '1', memory: '1G' };
    expect(resourcesOf(dedicated, support('sidecar', { limits }))).toEqual({ requests: limits, limits });
    expect(resourcesOf({})).toEqual({});
  });
});
