import { describe, expect, test } from 'vitest';
import { claim, compute, gates, named, problem, render, result, vmi } from './fixture.ts';

const DEFAULT_SWITCHES = ['--run-as-nonroot', '--image-volume', '--upgrade-ordinal-ifaces'];
const argument = (args: readonly string[] | undefined, name: string) => args?.[(args?.indexOf(name) ?? -1) + 1];
const env = (container: ReturnType<typeof compute>) =>
  Object.fromEntries((container.env ?? []).map((e) => [e.name, e.value]));

describe('command line', () => {
  test('pod case 34: switches of the default gates', () => {
    expect(compute(vmi()).args?.slice(-3)).toEqual(DEFAULT_SWITCHES);
  });

  test('pod case 35: all optional switches, in order', () => {
    const instance = vmi({
      annotations: {
        'kubevirt.io/libvirt-log-filters': 'f',
        'kubevirt.io/keep-launcher-alive-after-failure': 'true',
        'kubevirt.io/func-test-virt-launcher-fail-fast': '',
      },
    });
    const featureGates = ['VGPULiveMigration', 'VMStatsCollector', 'FirmwareAutoSelection'];
    const args = compute(instance, {
      configuration: { developerConfiguration: { featureGates, useEmulation: true } },
    }).args;
    expect(args?.slice(args.indexOf('--run-as-nonroot'))).toEqual([
      ...DEFAULT_SWITCHES,
      '--vgpu-dedicated-hook',
      '--vm-stats-collector',
      '--firmware-auto-selection',
      '--libvirt-log-filters',
      'f',
      '--allow-emulation',
      '--keep-after-failure',
      '--simulate-crash',
    ]);
  });

  test.each([
    ['', true],
    ['true-x', true],
    ['false', false],
  ])('pod case 36: keep alive %j', (value, kept) => {
    const annotations = { 'kubevirt.io/keep-launcher-alive-after-failure': value };
    expect(compute(vmi({ annotations })).args?.includes('--keep-after-failure')).toBe(kept);
  });

  test('pod case 37: firmware path', () => {
    const path = (architecture: string, configuration: object = {}) =>
      argument(compute(vmi({ spec: { architecture } }), { configuration }).args, '--ovmf-path');
    expect(path('arm64', { ovmfPath: '/x', architectureConfiguration: { arm64: { ovmfPath: '/y' } } })).toBe('/x');
    expect(path('arm64')).toBe('/usr/share/AAVMF');
    expect(path('s390x')).toBe('');
    expect(path('riscv64')).toBe('/usr/share/edk2/ovmf');
  });
});

describe('environment', () => {
  const logging = (label?: string, configuration: object = {}) => {
    const { spec } = render(vmi(label === undefined ? {} : { labels: { logVerbosity: label } }), { configuration });
    return {
      compute: env(named(spec.containers, 'compute')),
      console: env(named(spec.initContainers, 'guest-console-log'))['VIRT_LAUNCHER_LOG_VERBOSITY'],
    };
  };

  test('pod case 38: log verbosity', () => {
    const seven = logging('7');
    const debug = { LIBVIRT_DEBUG_LOGS: '1', VIRTIOFSD_DEBUG_LOGS: '1' };
    expect(seven.compute).toMatchObject({ VIRT_LAUNCHER_LOG_VERBOSITY: '7', ...debug });
    expect(seven.console).toBe('7');
    const two = logging('2').compute;
    expect(two['VIRT_LAUNCHER_LOG_VERBOSITY']).toBe('2');
    expect(two).not.toHaveProperty('LIBVIRT_DEBUG_LOGS');
    for (const label of ['abc', '', '1.5', '9'.repeat(20)])
      expect(problem(vmi({ labels: { logVerbosity: label } }))).toEqual({ type: 'bad-log-verbosity', label });
    const three = logging(undefined, { developerConfiguration: { logVerbosity: { virtLauncher: 3 } } });
    expect(three.compute['VIRT_LAUNCHER_LOG_VERBOSITY']).toBe('3');
    expect(logging().compute).not.toHaveProperty('VIRT_LAUNCHER_LOG_VERBOSITY');
  });

  test('pod case 39: debug logs by label', () => {
    expect(env(compute(vmi({ labels: { debugLogs: 'TRuE' } })))['LIBVIRT_DEBUG_LOGS']).toBe('1');
    expect(env(compute(vmi({ labels: { debugLogs: 'false' } })))).not.toHaveProperty('LIBVIRT_DEBUG_LOGS');
  });

  test('pod case 40: file systems that nodes share', () => {
    const shared = { accessModes: ['ReadWriteMany'] };
    const claims = [
      claim('d0', shared),
      claim('d1', shared),
      claim('rwo'),
      claim('block', { ...shared, volumeMode: 'Block' }),
    ];
    const volumes = claims.map((c) => ({ name: c.metadata.name, dataVolume: { name: c.metadata.name } }));
    expect(env(compute(vmi({ spec: { volumes } }), { related: { claims } }))['SHARED_FILESYSTEM_PATHS']).toBe(
      '/var/run/kubevirt-private/vmi-disks/d0:/var/run/kubevirt-private/vmi-disks/d1',
    );
  });
});

test('pod case 41: ports of all interfaces', () => {
  const interfaces = [
    { name: 'a', masquerade: {}, ports: [{ name: 'http', port: 80 }, { protocol: 'UDP', port: 80 }, { port: 90 }] },
    { name: 'b', bridge: {}, ports: [{ name: 'other', port: 80 }] },
  ];
  expect(compute(vmi({ devices: { interfaces } })).ports).toEqual([
    { name: 'http', containerPort: 80, protocol: 'TCP' },
    { containerPort: 80, protocol: 'UDP' },
    { containerPort: 90, protocol: 'TCP' },
    { name: 'other', containerPort: 80, protocol: 'TCP' },
  ]);
  expect(compute(vmi())).not.toHaveProperty('ports');
});

describe('probes', () => {
  const DEFAULTS = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  const wrapped = (...rest: string[]) => ['virt-probe', '--domainName', 'ns_v', '--timeoutSeconds', ...rest];
  const probed = (readinessProbe: object) => {
    const rendered = result(vmi({ spec: { readinessProbe } }));
    if (rendered.type === 'error') throw new Error(rendered.message);
    return {
      container: rendered.pod.spec.containers[0]?.readinessProbe,
      own: rendered.vmi.spec.readinessProbe,
      again: () => probed(rendered.vmi.spec.readinessProbe ?? {}),
    };
  };

  test('pod case 42: numbers of a tcp probe', () => {
    const given = {
      tcpSocket: { port: 1500 },
      timeoutSeconds: 2,
      periodSeconds: 3,
      successThreshold: 4,
      failureThreshold: 5,
    };
    expect(probed({ ...given, initialDelaySeconds: 2 }).container).toEqual({ ...given, initialDelaySeconds: 12 });

    const zeros = {
      timeoutSeconds: 0,
      periodSeconds: 0,
      successThreshold: 0,
      failureThreshold: 0,
      initialDelaySeconds: 0,
    };
    const defaulted = probed({ tcpSocket: { port: 1500 }, ...zeros });
    expect(defaulted.container).toEqual({ tcpSocket: { port: 1500 }, ...DEFAULTS, initialDelaySeconds: 10 });
    expect(defaulted.own).toEqual({ tcpSocket: { port: 1500 }, ...DEFAULTS, initialDelaySeconds: 0 });
    expect(probed({}).container).toEqual({ ...DEFAULTS, initialDelaySeconds: 10 });
  });

  test('pod case 43: an exec probe runs in the guest, its command is wrapped once', () => {
    const { container, own, again } = probed({ exec: { command: ['cat', '/x'] }, timeoutSeconds: 3 });
    const command = wrapped('3', '--command', 'cat', '--', '/x');
    expect(container).toMatchObject({ exec: { command }, timeoutSeconds: 4 });
    expect(own).toMatchObject({ exec: { command }, timeoutSeconds: 3 });
    expect(again().container).toMatchObject({ exec: { command }, timeoutSeconds: 3 });
    expect(again().own).toEqual(own);
  });

  test('pod case 44: guest agent ping', () => {
    const { container, own, again } = probed({ guestAgentPing: {} });
    const ping = { exec: { command: wrapped('1', '--guestAgentPing') }, timeoutSeconds: 2 };
    expect(container).toMatchObject(ping);
    expect(own).toEqual({ guestAgentPing: {}, ...DEFAULTS });
    expect(again().container).toMatchObject(ping);
    const overhead = 'kubevirt.io/memory-overhead-bytes';
    const without = render(vmi()).metadata.annotations?.[overhead];
    const probe = { readinessProbe: { guestAgentPing: {} } };
    expect(render(vmi({ spec: probe })).metadata.annotations?.[overhead]).toBe(without);
  });

  test('pod case 128: failures before the probes leave them, later ones do not', () => {
    const readinessProbe = { exec: { command: ['cat'] } };
    const annotations = { 'hooks.kubevirt.io/hookSidecars': '[{"image":"i","configMap":{"name":"cm"}}]' };
    const late = result(vmi({ spec: { readinessProbe }, annotations }));
    expect(late).toMatchObject({ type: 'error', problem: { type: 'sidecar-config-map-not-found', name: 'cm' } });
    const command = wrapped('1', '--command', 'cat', '--');
    expect(late.vmi.spec.readinessProbe).toEqual({ exec: { command }, ...DEFAULTS });
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cm', namespace: 'ns' } };
    expect(compute(late.vmi, { related: { sidecarConfigMaps: [configMap] } }).readinessProbe?.timeoutSeconds).toBe(1);

    const early = result(vmi({ spec: { readinessProbe, volumes: [{ name: 's', sysprep: {} }] } }));
    expect(early).toMatchObject({ type: 'error', problem: { type: 'sysprep-without-source', volume: 's' } });
    expect(early.vmi.spec.readinessProbe).toEqual(readinessProbe);
  });
});

test('pod case 75: configurable hypervisor', () => {
  const hypervisors = [{ name: 'hyperv-direct' }];
  const hyperv = compute(vmi(), {
    configuration: { hypervisors, developerConfiguration: { featureGates: ['ConfigurableHypervisor'] } },
  });
  expect(hyperv.resources?.limits).toHaveProperty(['devices.kubevirt.io/mshv'], '1');
  expect(hyperv.resources?.limits).not.toHaveProperty(['devices.kubevirt.io/kvm']);
  expect(argument(hyperv.args, '--hypervisor')).toBe('hyperv-direct');
  const off = compute(vmi(), { configuration: { hypervisors } });
  expect(off.resources?.limits).toHaveProperty(['devices.kubevirt.io/kvm'], '1');
  expect(argument(off.args, '--hypervisor')).toBe('kvm');
});

test('pod case 126: a GA gate cannot be turned off, one in both lists is on', () => {
  const disabledFeatureGates = ['VmiMemoryOverheadReport'];
  const pod = render(vmi(), { configuration: { developerConfiguration: { disabledFeatureGates } } });
  expect(pod.metadata.annotations).toHaveProperty(['kubevirt.io/memory-overhead-bytes']);
  expect(render(vmi(), gates()).metadata.annotations).toEqual(pod.metadata.annotations);
  const gate = ['VMStatsCollector'];
  const both = { configuration: { developerConfiguration: { featureGates: gate, disabledFeatureGates: gate } } };
  expect(compute(vmi(), both).args).toContain('--vm-stats-collector');
});
