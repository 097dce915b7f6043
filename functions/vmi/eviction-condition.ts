import { isConditionStatus, removeCondition, updateCondition } from '../core/conditions.ts';
import { timestamp } from '../core/context.ts';
import { condition } from './names.ts';
import type { StatusDraft } from './status-draft.ts';

/** `EvictionRequested` as long as the VMI is to leave a node (vmi.md 8.1, step 9). */
export function updateEvictionRequested({ vmi, pass }: StatusDraft): void {
  const { conditions, evacuationNodeName = '' } = vmi.status;
  if (evacuationNodeName === '') {
    vmi.status.conditions = removeCondition(conditions, condition.evictionRequested);
    return;
  }
  if (isConditionStatus(conditions, condition.evictionRequested)) return;
  const now = timestamp(pass.context.nowMs);
  vmi.status.conditions = updateCondition(conditions, {
    type: condition.evictionRequested,
    status: 'True',
    reason: 'EvictionRequested',
    message: `Eviction from node ${evacuationNodeName} is requested`,
    lastProbeTime: now,
    lastTransitionTime: now,
  });
}
