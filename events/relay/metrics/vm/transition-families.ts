import type { VirtualMachine } from '../../../../functions/core/objects.ts';
import { identityOf, type ObjectFamily, unixSeconds } from '../scraped-family.ts';
import { type StatusGroup, statusGroupOf, statusGroups } from './status-group.ts';

const telling = new Set(['Ready', 'Failure', 'Paused']);

/** The five time stamp counters (runtime.md 12.7): the one of the VM's group tells since when, the others are 0. */
export const transitionFamilies: readonly ObjectFamily<VirtualMachine>[] = statusGroups.map((group) => ({
  name: `kubevirt_vm_${group}_status_last_transition_timestamp_seconds`,
  help: `When a VM whose status is of the group ${group} last changed, Unix time; 0 for any other VM.`,
  type: 'counter',
  labels: ['name', 'namespace'],
  samplesOf: (vm) => [{ labels: identityOf(vm), value: countedGroupOf(vm) === group ? lastTransition(vm) : 0 }],
}));

function countedGroupOf(vm: VirtualMachine): StatusGroup {
  return statusGroupOf(vm.status?.printableStatus) ?? 'error';
}

function lastTransition(vm: VirtualMachine): number {
  const times = (vm.status?.conditions ?? [])
    .filter((c) => telling.has(c.type))
    .map((c) => unixSeconds(c.lastTransitionTime) ?? -1);
  return Math.max(-1, ...times);
}
