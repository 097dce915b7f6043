import { describe, expect, test } from 'vitest';
import { Scrape } from '../../support/scrape.ts';

function vmi(over: { metadata?: object; spec?: object; status?: object } = {}) {
  return {
    metadata: { name: 'a', namespace: 'ns', uid: 'uid-a', resourceVersion: '1', ...over.metadata },
    spec: { domain: { devices: {} }, ...over.spec },
    status: { nodeName: 'node-1', phase: 'Running', ...over.status },
  };
}

const where = { node: 'node-1', namespace: 'ns', name: 'a' };

describe('runtime case 82: evictable', () => {
  const migratable = (status: string) => ({ conditions: [{ type: 'LiveMigratable', status }] });
  test.each([
    ['LiveMigrate', migratable('False'), 1],
    ['LiveMigrate', {}, 1],
    ['LiveMigrate', migratable('True'), 0],
    [undefined, {}, 0],
    ['LiveMigrateIfPossible', migratable('False'), 0],
    ['External', {}, 0],
  ])('strategy %s with %o: non_evictable %i', async (evictionStrategy, status, value) => {
    const s = new Scrape({ vmi: [vmi({ spec: evictionStrategy === undefined ? {} : { evictionStrategy }, status })] });
    expect(await s.of('kubevirt_vmi_non_evictable')).toEqual([{ labels: where, value }]);
    expect((await s.of('kubevirt_vmi_info'))[0]?.labels['evictable']).toBe(String(value === 0));
  });
});

describe('runtime case 83: instance types', () => {
  const named = vmi({ metadata: { annotations: { 'kubevirt.io/instancetype-name': 'small' } } });
  const type = (vendor?: string) => ({
    metadata: {
      name: 'small',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '1',
      labels: vendor === undefined ? {} : { 'instancetype.kubevirt.io/vendor': vendor },
    },
  });
  test.each([
    ['without vendor label', [type()], '<other>'],
    ['of another vendor', [type('example.com')], '<other>'],
    ['deleted', [], '<other>'],
    ['of a known vendor', [type('kubevirt.io')], 'small'],
  ])('%s', async (_, instancetype, shown) => {
    const s = new Scrape({ vmi: [named], instancetype });
    expect((await s.of('kubevirt_vmi_info'))[0]?.labels['instance_type']).toBe(shown);
  });

  test('none', async () => {
    const s = new Scrape({ vmi: [vmi()] });
    expect((await s.of('kubevirt_vmi_info'))[0]?.labels).toMatchObject({ instance_type: '', preference: '' });
  });

  test('of the cluster', async () => {
    const { namespace: _, ...metadata } = type('redhat.com').metadata;
    const annotations = { 'kubevirt.io/cluster-instancetype-name': 'small' };
    const s = new Scrape({ vmi: [vmi({ metadata: { annotations } })], clusterInstancetype: [{ metadata }] });
    expect((await s.of('kubevirt_vmi_info'))[0]?.labels['instance_type']).toBe('small');
  });
});

test('runtime case 84: interfaces with an address, with a name alone, with nothing', async () => {
  const interfaces = [
    { name: 'default', interfaceName: 'eth0', ipAddress: '10.0.0.2' },
    { name: 'blue' },
    { mac: '02:00:00:00:00:01' },
  ];
  const s = new Scrape({ vmi: [vmi({ status: { interfaces } })] });
  expect(await s.of('kubevirt_vmi_status_addresses')).toEqual([
    {
      labels: {
        ...where,
        vnic_name: 'default',
        interface_name: 'eth0',
        address: '10.0.0.2',
        type: 'ExternalInterface',
      },
      value: 1,
    },
    { labels: { ...where, vnic_name: 'blue', interface_name: '', address: '', type: 'SystemInterface' }, value: 1 },
  ]);
});

test('kubevirt_vmi_info tells of the VMI, its guest and its pod', async () => {
  const pod = (name: string, phase: string, nodeName = 'node-1') => ({
    metadata: {
      name,
      namespace: 'ns',
      uid: name,
      resourceVersion: '1',
      labels: { 'kubevirt.io/created-by': 'uid-a' },
      ownerReferences: [{ kind: 'VirtualMachineInstance', name: 'a', uid: 'uid-a', controller: true }],
      annotations: { 'kubevirt.io/memory-overhead-bytes': '1000' },
    },
    spec: { nodeName },
    status: { phase },
  });
  const s = new Scrape({
    vmi: [
      vmi({
        metadata: {
          annotations: {
            'vm.kubevirt.io/os': 'linux',
            'vm.kubevirt.io/workload': 'server',
            'vm.kubevirt.io/flavor': 's',
          },
          labels: { 'kubevirt.io/outdatedLauncherImage': '' },
        },
        status: {
          machine: { type: 'q35' },
          guestOSInfo: { kernelRelease: '6.1', machine: 'x86_64', name: 'Fedora', versionId: '42' },
        },
      }),
    ],
    pod: [pod('done', 'Succeeded'), pod('launcher', 'Running'), pod('target', 'Running', 'node-2')],
  });
  expect(await s.of('kubevirt_vmi_info')).toEqual([
    {
      labels: {
        ...where,
        phase: 'running',
        os: 'linux',
        workload: 'server',
        flavor: 's',
        instance_type: '',
        preference: '',
        guest_os_kernel_release: '6.1',
        guest_os_machine: 'q35',
        guest_os_arch: 'x86_64',
        guest_os_name: 'Fedora',
        guest_os_version_id: '42',
        evictable: 'true',
        outdated: 'true',
        vmi_pod: 'launcher',
      },
      value: 1,
    },
  ]);
  expect(await s.of('kubevirt_vmi_launcher_memory_overhead_bytes')).toEqual([
    { labels: { namespace: 'ns', name: 'a' }, value: 1000 },
  ]);
  s.change('vmi', vmi({ status: { memory: { memoryOverhead: '1Mi' } } }));
  expect((await s.of('kubevirt_vmi_launcher_memory_overhead_bytes'))[0]?.value).toBe(1048576);
});

test('times of a migration, under the name of its object', async () => {
  const migrationState = {
    migrationUid: 'm1',
    startTimestamp: '2026-12-01T00:00:00Z',
    endTimestamp: '2026-12-01T00:00:30Z',
    completed: true,
  };
  const migration = { metadata: { name: 'move', namespace: 'ns', uid: 'm1', resourceVersion: '1' } };
  const s = new Scrape({ vmi: [vmi({ status: { migrationState } })], migration: [migration] });
  const start = Date.parse('2026-12-01T00:00:00Z') / 1000;
  expect(await s.of('kubevirt_vmi_migration_start_time_seconds')).toEqual([
    { labels: { ...where, migration_name: 'move' }, value: start },
  ]);
  expect(await s.of('kubevirt_vmi_migration_end_time_seconds')).toEqual([
    { labels: { ...where, migration_name: 'move', status: 'succeeded' }, value: start + 30 },
  ]);
  s.change('vmi', vmi({ status: { migrationState: { ...migrationState, migrationUid: 'gone', failed: true } } }));
  expect((await s.of('kubevirt_vmi_migration_end_time_seconds'))[0]?.labels).toMatchObject({
    migration_name: '',
    status: 'failed',
  });
});

test('interfaces with a network', async () => {
  const spec = {
    networks: [
      { name: 'default', pod: {} },
      { name: 'blue', multus: { networkName: 'ns/blue' } },
      { name: 'red', multus: { networkName: 'red' } },
    ],
    domain: {
      devices: {
        interfaces: [
          { name: 'default', masquerade: {}, model: 'virtio' },
          { name: 'blue', sriov: {} },
          { name: 'red', binding: { name: 'passt' } },
          { name: 'alone', bridge: {} },
        ],
      },
    },
  };
  const s = new Scrape({ vmi: [vmi({ spec })] });
  const of = (vnic_name: string, binding_type: string, network: string, binding_name: string, model: string) => ({
    labels: { namespace: 'ns', name: 'a', vnic_name, binding_type, network, binding_name, model },
    value: 1,
  });
  expect(await s.of('kubevirt_vmi_vnic_info')).toEqual([
    of('default', 'core', 'pod networking', 'masquerade', 'virtio'),
    of('blue', 'core', 'ns/blue', 'sriov', '<none>'),
    of('red', 'plugin', 'red', 'passt', '<none>'),
  ]);
});

test('series vanish with the object; a relay that does not lead has none', async () => {
  const s = new Scrape({ vmi: [vmi()] });
  expect(await s.of('kubevirt_vmi_info')).toHaveLength(1);
  s.leading = false;
  expect(await s.of('kubevirt_vmi_info')).toHaveLength(0);
  s.leading = true;
  s.caches.named('VirtualMachineInstance')?.removed('ns/a', 'uid-a');
  expect(await s.of('kubevirt_vmi_info')).toHaveLength(0);
});
