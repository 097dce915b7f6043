// Labels in the wrong order, since they were given by position (kubevirt PR 12941).
import { expect, test } from 'vitest';
import { migrationFamilies } from '../../events/relay/metrics/migration/migration-families.ts';
import { vmFamilies } from '../../events/relay/metrics/vm/vm-families.ts';
import { vmiFamilies } from '../../events/relay/metrics/vmi/vmi-families.ts';
import { sampleScrape } from '../events/relay/support/sample-scrape.ts';

/** Type and labels of the scrape metrics, as runtime.md 12.6 and 12.7 give them. */
const documented: Readonly<Record<string, string>> = {
  kubevirt_vmi_info:
    'gauge node namespace name phase os workload flavor instance_type preference guest_os_kernel_release guest_os_machine guest_os_arch guest_os_name guest_os_version_id evictable outdated vmi_pod',
  kubevirt_vmi_non_evictable: 'gauge node namespace name',
  kubevirt_vmi_status_addresses: 'gauge node namespace name vnic_name interface_name address type',
  kubevirt_vmi_migration_start_time_seconds: 'gauge node namespace name migration_name',
  kubevirt_vmi_migration_end_time_seconds: 'gauge node namespace name migration_name status',
  kubevirt_vmi_vnic_info: 'gauge name namespace vnic_name binding_type network binding_name model',
  kubevirt_vmi_launcher_memory_overhead_bytes: 'gauge namespace name',
  kubevirt_vm_starting_status_last_transition_timestamp_seconds: 'counter name namespace',
  kubevirt_vm_running_status_last_transition_timestamp_seconds: 'counter name namespace',
  kubevirt_vm_migrating_status_last_transition_timestamp_seconds: 'counter name namespace',
  kubevirt_vm_non_running_status_last_transition_timestamp_seconds: 'counter name namespace',
  kubevirt_vm_error_status_last_transition_timestamp_seconds: 'counter name namespace',
  kubevirt_vm_info: 'gauge name namespace os workload flavor machine_type instance_type preference status status_group',
  kubevirt_vm_resource_requests: 'gauge name namespace resource unit source',
  kubevirt_vm_resource_limits: 'gauge name namespace resource unit',
  kubevirt_vm_disk_allocated_size_bytes: 'gauge name namespace persistentvolumeclaim volume_mode device',
  kubevirt_vm_create_date_timestamp_seconds: 'gauge name namespace',
  kubevirt_vm_vnic_info: 'gauge name namespace vnic_name binding_type network binding_name model',
  kubevirt_vm_labels: 'gauge name namespace label_environment',
  kubevirt_vmi_migrations_in_pending_phase: 'gauge',
  kubevirt_vmi_migrations_in_scheduling_phase: 'gauge',
  kubevirt_vmi_migrations_in_unset_phase: 'gauge',
  kubevirt_vmi_migrations_in_running_phase: 'gauge',
  kubevirt_vmi_migration_succeeded: 'gauge vmi vmim namespace',
  kubevirt_vmi_migration_failed: 'gauge vmi vmim namespace',
};

test('the metrics that exist are the documented ones', () => {
  const names = [...vmiFamilies, ...vmFamilies, ...migrationFamilies(() => [])].map((f) => f.name);
  expect(new Set(names)).toEqual(new Set(Object.keys(documented)));
});

test.each(Object.entries(documented))('%s has its type and its labels, each by its name', async (name, text) => {
  const [type, ...labels] = text.split(' ');
  const scrape = sampleScrape();
  const series = await scrape.of(name);
  expect(series.length).toBeGreaterThan(0);
  for (const s of series) expect(Object.keys(s.labels).sort()).toEqual([...labels].sort());
  expect(await scrape.metrics.text()).toContain(`# TYPE ${name} ${type}\n`);
  // A value under the wrong name would show here.
  for (const { labels: l } of series) {
    if (l['namespace'] !== undefined) expect(l['namespace']).toBe('ns');
    if (l['node'] !== undefined) expect(l['node']).toBe('node-1');
    if (l['name'] !== undefined) expect(l['name']).toBe('sample');
  }
});
