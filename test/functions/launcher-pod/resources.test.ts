import { describe, expect, test } from 'vitest';
import {
  gates,
  namespaceWith,
  other,
  problem,
  quota,
  resources,
  type Surroundings,
  vmi,
  withoutGates,
} from './fixture.ts';

const OVERHEAD = 301989888;
const cpuOf = (domain: object, around?: Surroundings, annotations: Record<string, string> = {}) => {
  const { requests, limits } = resources(vmi({ domain, annotations }), around);
  return [requests['cpu'], limits['cpu']];
};
const memoryOf = (domain: object, around?: Surroundings) => {
  const { requests, limits } = resources(vmi({ domain }), around);
  return [requests['memory'], limits['memory']];
};
const overcommit = (memoryOvercommit: number) => ({ configuration: { developerConfiguration: { memoryOvercommit } } });

describe('cpu', () => {
  test('pod case 45: requests by topology', () => {
    expect(cpuOf({ cpu: { cores: 3 } })).toEqual(['300m', undefined]);
    const whole = { configuration: { developerConfiguration: { cpuAllocationRatio: 1 } } };
    expect(cpuOf({ cpu: { cores: 3 } }, whole)).toEqual(['3', undefined]);
    expect(cpuOf({})).toEqual(['100m', undefined]);
    expect(cpuOf({ cpu: { cores: 3, sockets: 5 } })).toEqual(['1500m', undefined]);
  });

  test('a share that is no whole number of milli is rounded up, not cut', () => {
    const third = { configuration: { developerConfiguration: { cpuAllocationRatio: 3 } } };
    expect(cpuOf({ cpu: { cores: 1 } }, third)[0]).toBe('333333334n');
  });

  test('pod case 46: a request of the user wins', () => {
    expect(cpuOf({ cpu: { cores: 5 }, resources: { requests: { cpu: '150m' } } })[0]).toBe('150m');
  });

  test('pod case 47: IO threads count', () => {
    expect(cpuOf({ cpu: { cores: 2 }, ioThreads: { supplementalPoolThreadCount: 2 } })[0]).toBe('400m');
  });

  test('pod case 48: a quota on CPU limits', () => {
    const related = { quotas: [quota({ 'limits.cpu': '10' })] };
    expect(cpuOf({ cpu: { cores: 2 } }, { related })[1]).toBe('2');
    expect(cpuOf({ cpu: { cores: 2 }, resources: { limits: { cpu: '350m' } } }, { related })[1]).toBe('350m');
    const elsewhere = { quotas: [quota({ 'limits.cpu': '10' }, 'elsewhere'), quota({ cpu: '10' })] };
    expect(cpuOf({ cpu: { cores: 2 } }, { related: elsewhere })[1]).toBeUndefined();
  });

  test('pod case 49: a selector of namespaces with CPU limits', () => {
    const limitWith = (autoCPULimitNamespaceLabelSelector: object, namespace = namespaceWith({ limit: 'yes' })) =>
      cpuOf(
        { cpu: { cores: 2 } },
        { configuration: { autoCPULimitNamespaceLabelSelector }, related: { namespace } },
      )[1];
    expect(limitWith({ matchLabels: { limit: 'yes' } })).toBe('2');
    expect(limitWith({})).toBe('2');
    expect(limitWith({ matchLabels: { limit: 'no' } })).toBeUndefined();
    expect(limitWith({ matchExpressions: [{ key: 'limit', operator: 'Like', values: ['y'] }] })).toBeUndefined();
    const configuration = { autoCPULimitNamespaceLabelSelector: {} };
    expect(cpuOf({ cpu: { cores: 2 } }, { configuration })[1]).toBeUndefined();
  });

  const EVEN = { 'alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity': '' };
  const dedicated = (cpu: object, rest: object = {}, annotations = {}) => {
    const domain = { cpu: { dedicatedCpuPlacement: true, isolateEmulatorThread: true, ...cpu }, ...rest };
    const [request, limit] = cpuOf(domain, undefined, annotations);
    expect(request).toBe(limit);
    return limit;
  };
  const pool = (supplementalPoolThreadCount: number) => ({
    ioThreadsPolicy: 'supplementalPool',
    ioThreads: { supplementalPoolThreadCount },
  });

  test('pod case 50: dedicated CPUs with an emulator thread of their own', () => {
    expect(dedicated({ cores: 3 })).toBe('4');
    expect(dedicated({ cores: 3 }, {}, EVEN)).toBe('4');
    expect(dedicated({ cores: 4 }, {}, EVEN)).toBe('6');
    expect(dedicated({ cores: 5 }, pool(2))).toBe('8');
    expect(dedicated({ cores: 5 }, pool(2), EVEN)).toBe('8');
    expect(dedicated({ cores: 6 }, pool(2), EVEN)).toBe('10');
  });

  test('pod case 51: dedicated CPUs by the user’s requests', () => {
    const user = (cpu: string) => ({ resources: { requests: { cpu }, limits: { cpu } } });
    expect(dedicated({}, { ...user('5'), ...pool(2) }, EVEN)).toBe('8');
    expect(dedicated({}, user('3'))).toBe('4');
  });

  test('pod case 130: no topology, no CPU', () => {
    expect(cpuOf({ cpu: {} }, { related: { quotas: [quota({ 'limits.cpu': '10' })] } })).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('memory', () => {
  test('pod case 52: dedicated, limit becomes request before the overhead', () => {
    const [request, limit] = memoryOf({
      cpu: { cores: 1, dedicatedCpuPlacement: true },
      resources: { requests: { memory: '2G' }, limits: { memory: '3G' } },
    });
    // 2G, page tables 3906250, overhead of one vCPU, dedicated 100Mi
    expect(request).toBe(`${2_000_000_000 + 3_906_250 + OVERHEAD + 104_857_600}`);
    expect(limit).toBe(request);
  });

  test('pod case 53: guest memory only, overcommitted or not', () => {
    expect(memoryOf({ memory: { guest: '1Gi' } })).toEqual(['1312Mi', undefined]);
    const reduced = Math.floor((1073741824 * 100) / 110);
    expect(memoryOf({ memory: { guest: '1Gi' } }, overcommit(110))).toEqual([`${reduced + OVERHEAD}`, undefined]);
    const given = { memory: { guest: '1Gi' }, resources: { limits: { memory: '1Gi' } } };
    expect(memoryOf(given, overcommit(110))).toEqual(['1312Mi', '1312Mi']);
  });

  test('pod case 54: limit only', () => {
    expect(memoryOf({ resources: { limits: { memory: '1Gi' } } })).toEqual(['1312Mi', '1312Mi']);
  });

  test('pod case 55: an explicit zero stays', () => {
    expect(memoryOf({ memory: { guest: '1Gi' }, resources: { requests: { memory: '0' } } })).toEqual([
      '288Mi',
      undefined,
    ]);
  });

  test('pod case 56: no memory anywhere', () => {
    expect(memoryOf({})).toEqual(['288Mi', undefined]);
    expect(memoryOf({ resources: { overcommitGuestOverhead: true } })).toEqual(['0', undefined]);
  });

  test('pod case 57: request and limit', () => {
    const cpu = { requests: { cpu: '1m', memory: '1G' }, limits: { cpu: '2m', memory: '2G' } };
    expect(memoryOf({ resources: cpu })).toEqual(['1303943013', '2303943013']);
    const arm = resources(vmi({ spec: { architecture: 'arm64' }, domain: { resources: cpu } }));
    expect([arm.requests['memory'], arm.limits['memory']]).toEqual(['1438160741', '2438160741']);
    const overcommitted = { requests: { memory: '1G' }, limits: { memory: '2G' }, overcommitGuestOverhead: true };
    expect(memoryOf({ resources: overcommitted })).toEqual(['1G', '2303943013']);
  });

  const huge = (pageSize: string, memory: object, lists: object = {}, around?: Surroundings) => {
    const domain = { memory: { ...memory, hugepages: { pageSize } }, resources: lists };
    const { requests, limits } = resources(vmi({ domain }), around);
    const pages = `hugepages-${pageSize}`;
    return [requests[pages], limits[pages], requests['memory'], limits['memory']];
  };
  const both = (memory: string) => ({ requests: { memory }, limits: { memory } });

  test('pod case 58: huge pages', () => {
    expect(huge('2Mi', {}, both('64M'))).toEqual(['64M', '64M', '302114888', '302114888']);
    expect(huge('2Mi', {}, both('64Mi'))).toEqual(['64Mi', '64Mi', '302120960', '302120960']);
  });

  test('pod case 59: huge pages for the guest, the rest of the request from elsewhere', () => {
    expect(huge('1Gi', { guest: '64M' }, both('70M'))).toEqual(['64M', '64M', '308126606', '308126606']);
  });

  test('pod case 60: only a page size', () => {
    expect(huge('1Gi', {})).toEqual(['1Gi', '1Gi', '288Mi', undefined]);
  });

  test('pod case 61: huge pages and overcommit', () => {
    expect(huge('2Mi', { guest: '4Gi' }, {}, overcommit(200))).toEqual(['2Gi', '2Gi', '288Mi', undefined]);
  });

  test('pod case 62: a quota on memory limits', () => {
    const limitWith = (labels: Record<string, string>, domain: object = {}) =>
      memoryOf(
        { resources: { requests: { memory: '64M' } }, ...domain },
        { related: { quotas: [quota({ 'limits.memory': '1Gi' })], namespace: namespaceWith(labels) } },
      );
    const ratio = 'alpha.kubevirt.io/auto-memory-limits-ratio';
    const request = 64_000_000 + 125_000 + OVERHEAD;
    expect(limitWith({})).toEqual([`${request}`, `${2 * request}`]);
    expect(limitWith({ [ratio]: '3.2' })[1]).toBe(`${Math.floor(3.2 * request)}`);
    expect(limitWith({ [ratio]: '0.5' })[1]).toBe(`${2 * request}`);
    expect(limitWith({ [ratio]: 'not_a_float' })[1]).toBe(`${2 * request}`);
    const [own, limit] = limitWith({}, { cpu: { cores: 1, dedicatedCpuPlacement: true } });
    expect(limit).toBe(own);
  });

  test('pod case 63: ephemeral storage', () => {
    const storage = { requests: { 'ephemeral-storage': '30M' }, limits: { 'ephemeral-storage': '70M' } };
    const given = resources(vmi({ domain: { resources: storage } }));
    expect([given.requests['ephemeral-storage'], given.limits['ephemeral-storage']]).toEqual(['80M', '120M']);
    const none = resources(vmi());
    expect([none.requests['ephemeral-storage'], none.limits['ephemeral-storage']]).toEqual(['50M', undefined]);
  });
});

describe('devices', () => {
  const devicesOf = (devices: object, around?: Surroundings) =>
    Object.keys(resources(vmi({ devices }), around).limits)
      .filter((k) => k.startsWith('devices.'))
      .map((k) => k.slice('devices.kubevirt.io/'.length));

  test('pod case 64: emulation', () => {
    const around = { configuration: { developerConfiguration: { useEmulation: true } } };
    expect(devicesOf({ interfaces: [{ name: 'i', masquerade: {} }] }, around)).toEqual(['tun']);
  });

  test('pod case 65: interfaces', () => {
    expect(devicesOf({ autoattachPodInterface: false })).toEqual(['kvm']);
    expect(devicesOf({ interfaces: [{ name: 'i', bridge: {}, model: 'e1000' }] })).toEqual(['tun', 'kvm']);
    expect(devicesOf({ interfaces: [{ name: 'i', bridge: {} }] })).toEqual(['tun', 'vhost-net', 'kvm']);
  });

  test('pod case 66: VSOCK is a limit, no request', () => {
    const { requests, limits } = resources(vmi({ devices: { autoattachVSOCK: true } }));
    expect(limits['devices.kubevirt.io/vhost-vsock']).toBe('1');
    expect(requests).not.toHaveProperty(['devices.kubevirt.io/vhost-vsock']);
  });

  const gpus = [
    { name: 'g1', deviceName: 'v.com/a' },
    { name: 'g2', deviceName: 'v.com/a' },
  ];

  test('pod case 67: GPUs and host devices of one resource', () => {
    const devices = { gpus, hostDevices: [{ name: 'h', deviceName: 'v.com/a' }] };
    const { requests, limits } = resources(vmi({ devices }));
    expect([requests['v.com/a'], limits['v.com/a']]).toEqual(['3', '3']);
    expect(requests['memory']).toBe('1312Mi');
  });

  test('pod case 68: a limit of the user stays', () => {
    const domain = { devices: { gpus: gpus.slice(0, 1) }, resources: { limits: { 'v.com/a': '5' } } };
    const { requests, limits } = resources(vmi({ domain }));
    expect([requests['v.com/a'], limits['v.com/a']]).toEqual(['1', '5']);
  });

  const permitting = (resourceName: string, disabledFeatureGates: string[] = []) => ({
    configuration: {
      permittedHostDevices: { pciHostDevices: [{ resourceName, pciVendorSelector: '1:2' }] },
      developerConfiguration: { disabledFeatureGates },
    },
  });

  test('pod case 69: devices that are not permitted', () => {
    const devices = { gpus: gpus.slice(0, 1), hostDevices: [{ name: 'h', deviceName: 'v.com/c' }] };
    expect(problem(vmi({ devices }), permitting('v.com/b'))).toEqual({
      type: 'device-not-permitted',
      devices: ['v.com/a', 'v.com/c'],
    });
    expect(problem(vmi({ devices }))).toBeUndefined();
  });

  const draGpu = { name: 'g', claimName: 'c', requestName: 'r' };

  test('pod case 70: a claimed GPU with its gate off and on', () => {
    const instance = vmi({ devices: { gpus: [draGpu] } });
    expect(problem(instance, permitting('v.com/b', ['GPUsWithDRA']))).toEqual({
      type: 'device-not-permitted',
      devices: [''],
    });
    expect(resources(instance, permitting('v.com/b')).claims).toEqual([{ name: 'c', request: 'r' }]);
  });

  test('pod case 71: claims in order', () => {
    const hostDevices = ['a', 'b'].map((requestName) => ({ name: requestName, claimName: 'h', requestName }));
    expect(resources(vmi({ devices: { hostDevices, gpus: [draGpu] } })).claims).toEqual([
      { name: 'c', request: 'r' },
      { name: 'h', request: 'a' },
      { name: 'h', request: 'b' },
    ]);
  });

  test('pod case 72: claims of networks', () => {
    const networks = [{ name: 'n', resourceClaim: { claimName: 'c', requestName: 'r' } }];
    expect(resources(vmi({ spec: { networks } }), gates('NetworkDevicesWithDRA')).claims).toEqual([
      { name: 'c', request: 'r' },
    ]);
    expect(resources(vmi({ spec: { networks } })).claims).toBeUndefined();
  });

  test('pod case 73: confidential guests', () => {
    const snp = resources(vmi({ domain: { launchSecurity: { snp: {} } } }));
    expect([snp.requests['devices.kubevirt.io/sev'], snp.limits['devices.kubevirt.io/sev']]).toEqual(['1', '1']);
    expect(snp.requests['memory']).toBe('544Mi');
    const tdx = resources(vmi({ domain: { launchSecurity: { tdx: {} } } }));
    expect([tdx.requests['devices.kubevirt.io/tdx'], tdx.limits['devices.kubevirt.io/tdx']]).toEqual(['1', '1']);
    expect(tdx.requests).not.toHaveProperty(['devices.kubevirt.io/sev']);
  });

  test('pod case 74: IOMMUFD', () => {
    const { requests, limits } = resources(vmi(), gates('IOMMUFD'));
    expect([requests['devices.kubevirt.io/iommufd'], limits['devices.kubevirt.io/iommufd']]).toEqual(['1', '1']);
  });

  test('pod case 76: resources behind Multus networks', () => {
    const networks = ['one', 'two', 'bare'].map((name) => ({ name, multus: { networkName: name } }));
    const resource = { 'k8s.v1.cni.cncf.io/resourceName': 'r' };
    const networkAttachments = [
      other('NetworkAttachmentDefinition', 'one', resource),
      other('NetworkAttachmentDefinition', 'two', resource),
      other('NetworkAttachmentDefinition', 'bare'),
    ];
    const around = { ...withoutGates('ExternalNetResourceInjection'), related: { networkAttachments } };
    const { requests, limits } = resources(vmi({ spec: { networks } }), around);
    expect([requests['r'], limits['r']]).toEqual(['2', '2']);
    const missing = { ...around, related: { networkAttachments: networkAttachments.slice(1) } };
    expect(problem(vmi({ spec: { networks } }), missing)).toEqual({
      type: 'network-attachment-not-found',
      key: 'ns/one',
    });
    expect(resources(vmi({ spec: { networks } })).requests).not.toHaveProperty('r');
  });
});
