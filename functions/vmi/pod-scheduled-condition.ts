import { addCondition, conditionOf, removeCondition } from '../core/conditions.ts';
import type { Pod } from '../core/objects.ts';
import { condition } from './names.ts';
import type { StatusDraft } from './status-draft.ts';

/** The VMI shows that its pod can't be scheduled, as long as it can't (vmi.md 8.3). */
export function followPodScheduled({ vmi }: StatusDraft, pod: Pod): void {
  const scheduled = conditionOf(pod.status?.conditions, condition.podScheduled);
  const { conditions } = vmi.status;
  vmi.status.conditions =
    scheduled?.status === 'False'
      ? addCondition(conditions, scheduled)
      : removeCondition(conditions, condition.podScheduled);
}
