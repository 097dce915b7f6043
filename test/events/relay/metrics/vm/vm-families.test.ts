import { describe, expect, test } from 'vitest';
import { labelNameOf, vmLabelFilter } from '../../../../../events/relay/metrics/vm/label-filter.ts';
import { Scrape } from '../../support/scrape.ts';

const id = { name: 'a', namespace: 'ns' };

function vm(over: { metadata?: object; spec?: object; template?: object; domain?: object; status?: object } = {}) {
  return {
    metadata: { ...id, uid: 'u', resourceVersion: '1', creationTimestamp: '2026-12-01T00:00:00Z', ...over.metadata },
    spec: {
      template: { metadata: {}, spec: { domain: { devices: {}, ...over.domain } }, ...over.template },
      ...over.spec,
    },
    ...(over.status === undefined ? {} : { status: over.status }),
  };
}

const groups = ['starting', 'running', 'migrating', 'non_running', 'error'];
const stamp = (group: string) => `kubevirt_vm_${group}_status_last_transition_timestamp_seconds`;

describe('runtime case 85: since when a VM is as it is', () => {
  const since = '2026-12-01T00:10:00Z';
  const seconds = Date.parse(since) / 1000;

  test('the group of its status has the time, the others 0', async () => {
    const conditions = [
      { type: 'Ready', status: 'False', lastTransitionTime: since },
      { type: 'Paused', status: 'False', lastTransitionTime: '2026-12-01T00:00:00Z' },
      { type: 'LiveMigratable', status: 'True', lastTransitionTime: '2026-12-01T01:00:00Z' },
    ];
    const s = new Scrape({ vm: [vm({ status: { printableStatus: 'Stopped', conditions } })] });
    for (const group of groups)
      expect(await s.of(stamp(group))).toEqual([{ labels: id, value: group === 'non_running' ? seconds : 0 }]);
  });

  test('without conditions it is -1', async () => {
    const s = new Scrape({ vm: [vm({ status: { printableStatus: 'Running' } })] });
    expect(await s.of(stamp('running'))).toEqual([{ labels: id, value: -1 }]);
  });

  test('a status of no group counts as an error', async () => {
    const s = new Scrape({ vm: [vm({ status: { printableStatus: 'New' } })] });
    expect(await s.of(stamp('error'))).toEqual([{ labels: id, value: -1 }]);
    expect((await s.of('kubevirt_vm_info'))[0]?.labels).toMatchObject({ status: 'new', status_group: '<unknown>' });
  });
});

async function requestsOf(domain: object): Promise<Record<string, number>> {
  const series = await new Scrape({ vm: [vm({ domain })] }).of('kubevirt_vm_resource_requests');
  return Object.fromEntries(
    series.map(({ labels: l, value }) => [`${l['resource']} ${l['unit']} ${l['source']}`, value]),
  );
}

describe('resources', () => {
  test('runtime case 86: without CPU settings', async () => {
    expect(await requestsOf({})).toEqual({
      'cpu cores default': 1,
      'cpu threads default': 1,
      'cpu sockets default': 1,
      'cpu cores guest_effective': 1,
    });
  });

  test('runtime case 87: a CPU request without topology', async () => {
    expect(await requestsOf({ resources: { requests: { cpu: '500m' } } })).toEqual({
      'cpu cores requests': 0.5,
      'cpu cores guest_effective': 1,
    });
  });

  test('runtime case 88: the product of what is not zero', async () => {
    expect(await requestsOf({ cpu: { cores: 2, sockets: 3, threads: 0 } })).toEqual({
      'cpu cores domain': 2,
      'cpu sockets domain': 3,
      'cpu cores guest_effective': 6,
    });
  });

  test('memory by where it is said', async () => {
    const domain = {
      cpu: {},
      memory: { guest: '1Gi', hugepages: { pageSize: '2Mi' } },
      resources: { requests: { memory: '512Mi' }, limits: { memory: '2Gi', cpu: '1500m' } },
    };
    expect(await requestsOf(domain)).toEqual({
      'memory bytes domain': 512 * 1024 ** 2,
      'memory bytes guest': 1024 ** 3,
      'memory bytes hugepages': 2 * 1024 ** 2,
      'memory bytes guest_effective': 1024 ** 3,
      'cpu cores guest_effective': 1,
    });
    expect(await new Scrape({ vm: [vm({ domain })] }).of('kubevirt_vm_resource_limits')).toEqual([
      { labels: { ...id, resource: 'memory', unit: 'bytes' }, value: 2 * 1024 ** 3 },
      { labels: { ...id, resource: 'cpu', unit: 'cores' }, value: 1.5 },
    ]);
  });

  test('what the guest gets without memory.guest: the request, else the limit', async () => {
    const cpu = {};
    const of = async (resources: object) => (await requestsOf({ cpu, resources }))['memory bytes guest_effective'];
    expect(await of({ requests: { memory: '1M' }, limits: { memory: '2M' } })).toBe(1_000_000);
    expect(await of({ limits: { memory: '2M' } })).toBe(2_000_000);
    expect(await of({})).toBeUndefined();
  });

  test('a VM without template has none', async () => {
    const s = new Scrape({ vm: [{ ...vm(), spec: {} }] });
    expect(await s.of('kubevirt_vm_resource_requests')).toEqual([]);
    expect(await s.of('kubevirt_vm_info')).toHaveLength(1);
  });
});

describe('runtime case 89: disk sizes', () => {
  const claim = {
    metadata: { name: 'disk', namespace: 'ns', uid: 'c', resourceVersion: '1' },
    spec: { volumeMode: 'Block', resources: { requests: { storage: '25Gi' } } },
  };
  const withVolume = (volume: object, over: object = {}) =>
    vm({ spec: { ...over, template: { spec: { domain: { devices: {} }, volumes: [{ name: 'root', ...volume }] } } } });
  const dataVolume = { dataVolume: { name: 'disk' } };
  const template = (spec: object) => ({ dataVolumeTemplates: [{ metadata: { name: 'disk' }, spec }] });
  const size = { resources: { requests: { storage: '20Gi' } } };
  test.each([
    ['of a claim', withVolume({ persistentVolumeClaim: { claimName: 'disk' } }), 25],
    ['of a data volume template', withVolume(dataVolume, template({ pvc: size })), 20],
    ['of a data volume template with storage', withVolume(dataVolume, template({ storage: size })), 20],
    ['of a data volume without template', withVolume(dataVolume), 25],
  ])('%s', async (_, machine, gibibytes) => {
    const s = new Scrape({ vm: [machine], claim: [claim] });
    const labels = { ...id, persistentvolumeclaim: 'disk', volume_mode: 'Block', device: 'root' };
    expect(await s.of('kubevirt_vm_disk_allocated_size_bytes')).toEqual([{ labels, value: gibibytes * 1024 ** 3 }]);
  });

  test('a claim that is not there has none', async () => {
    const s = new Scrape({ vm: [withVolume(dataVolume)] });
    expect(await s.of('kubevirt_vm_disk_allocated_size_bytes')).toEqual([]);
  });
});

describe('labels', () => {
  const labelled = vm({
    metadata: { labels: { environment: 'test', team: 'x' } },
    template: { metadata: { labels: { environment: 'prod' } } },
  });

  test('runtime case 90: allow list and ignore list', async () => {
    const s = new Scrape({ vm: [labelled] });
    s.labelsConfig = { allowlist: 'environment, team', ignorelist: 'team' };
    expect(await s.of('kubevirt_vm_labels')).toEqual([{ labels: { ...id, label_environment: 'prod' }, value: 1 }]);
  });

  test('without the ConfigMap all are told; with an empty allow list none', async () => {
    const s = new Scrape({ vm: [labelled] });
    expect((await s.of('kubevirt_vm_labels'))[0]?.labels).toMatchObject({ label_environment: 'prod', label_team: 'x' });
    s.labelsConfig = { allowlist: '' };
    expect(await s.of('kubevirt_vm_labels')).toEqual([]);
  });

  test('an asterisk means all only among the allowed', () => {
    expect(vmLabelFilter({ ignorelist: '*' }).allows('x')).toBe(true);
    expect(vmLabelFilter({ allowlist: '*', ignorelist: 'x' }).allows('x')).toBe(false);
  });

  test('runtime case 91: keys as label names', () => {
    expect(labelNameOf('vm.kubevirt.io/template')).toBe('label_vm_kubevirt_io_template');
    expect(labelNameOf('9x')).toBe('label__9x');
  });
});

test('creation and instance type of a VM', async () => {
  const type = (vendor: string) => ({
    metadata: {
      name: 'small',
      uid: 't',
      resourceVersion: '1',
      labels: { 'instancetype.kubevirt.io/vendor': vendor },
    },
  });
  const spec = { instancetype: { name: 'small' }, preference: { name: 'own', kind: 'virtualmachinepreference' } };
  const s = new Scrape({ vm: [vm({ spec })], clusterInstancetype: [type('redhat.com')] });
  expect((await s.of('kubevirt_vm_info'))[0]?.labels).toMatchObject({ instance_type: 'small', preference: '<other>' });
  expect(await s.of('kubevirt_vm_create_date_timestamp_seconds')).toEqual([
    { labels: id, value: Date.parse('2026-12-01T00:00:00Z') / 1000 },
  ]);
});
