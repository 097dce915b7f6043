// A metric silently absent because one of its label values was not passed (kubevirt PR 10001).
import { expect, test } from 'vitest';
import { RelayHarness, vmiObject } from '../events/relay/support/relay-harness.ts';

/** Metrics of a relay with one VMI that was just seen for the first time, which nothing has yet happened to. */
const silent = new Set([
  // No snapshot was too large, no action was refused, no event was written.
  'virt_functions_relay_snapshots_too_large_total',
  'virt_functions_relay_refused_actions_total',
  'virt_functions_relay_events_total',
  'virt_functions_relay_actions_total',
  // The VMI has made no step, was not written, and has no interface, migration or pod.
  'kubevirt_vmi_phase_transition_time_seconds',
  'kubevirt_vmi_phase_transition_time_from_creation_seconds',
  'kubevirt_vmi_phase_transition_time_from_deletion_seconds',
  'kubevirt_vmi_sync_total',
  'kubevirt_vmi_status_addresses',
  'kubevirt_vmi_vnic_info',
  'kubevirt_vmi_launcher_memory_overhead_bytes',
]);
/** There is no VM, no migration and no snapshot. */
const ofOtherKinds = /^kubevirt_(vm_|vmi_migration_|vmsnapshot_)/;

test('with one VMI every declared metric has a sample, or a reason not to', async () => {
  const h = new RelayHarness();
  h.objects['virtualmachineinstances'] = [vmiObject('a', 5)];
  await h.start();
  const text = await h.metrics.text();
  const declared = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name);
  const empty = declared.filter((name) => !new RegExp(`^${name}(_count)?[{ ]`, 'm').test(text));
  expect(empty.filter((name) => !silent.has(name) && !ofOtherKinds.test(name))).toEqual([]);
  expect(declared).toContain('kubevirt_vmi_info');
});
