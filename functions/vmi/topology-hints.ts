/** The TSC frequency that all nodes can give the guest, found before its pod is made (vmi.md 11.1). */
import type { VirtualMachineInstance } from '../core/objects.ts';
import { lowestFrequency } from '../rules/tsc/lowest-frequency.ts';
import { requiresTscFrequency, tscRequirement } from '../rules/tsc/tsc-requirement.ts';
import type { StatusDraft } from './status-draft.ts';
import { isUnprocessed } from './vmi-phase.ts';

/** Whether the VMI waits for its hints. Hints that are there already are good, a frequency of 0 in them too. */
export function awaitsTopologyHints(vmi: VirtualMachineInstance): boolean {
  return isUnprocessed(vmi) && requiresTscFrequency(vmi) && vmi.status?.topologyHints === undefined;
}

/**
 * | lowest frequency | guest needs it to boot | to migrate |
 * |---|---|---|
 * | known | hints | hints |
 * | unusable | event, nothing is written | no hints yet |
 */
export function addTopologyHints(draft: StatusDraft): void {
  const { vmi, pass } = draft;
  if (!awaitsTopologyHints(pass.vmi)) return;
  const { tscNodes, tscOccupants } = pass.reads;
  const lowest = lowestFrequency(tscNodes, tscOccupants, pass.context.configuration);
  if (lowest.type === 'known') {
    vmi.status.topologyHints = { tscFrequency: lowest.hz };
  } else if (tscRequirement(pass.vmi) === 'boot') {
    const message = `Failed to find the lowest TSC frequency of the cluster: ${lowest.reason}`;
    draft.events.push({ type: 'Warning', reason: 'FailedGatherhingClusterTopologyHints', message });
    draft.result = { type: 'error', reason: message };
  }
}
