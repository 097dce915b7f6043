import { conditionOf, newCondition, removeCondition } from '../core/conditions.ts';
import { timestamp } from '../core/context.ts';
import { condition } from './names.ts';
import type { StatusDraft } from './status-draft.ts';

/**
 * `Synchronized` says why the VMI can't go on, and is absent when it can (vmi.md 3.4, "check failure"). One with the same
 * reason stays, its message too.
 */
export function updateSynchronized({ vmi, pass, shownError }: StatusDraft): void {
  const { conditions } = vmi.status;
  const present = conditionOf(conditions, condition.synchronized);
  if (shownError !== undefined && present?.status === 'False' && present.reason === shownError.reason) return;
  const others = removeCondition(conditions, condition.synchronized);
  vmi.status.conditions =
    shownError === undefined
      ? others
      : [
          ...(others ?? []),
          newCondition({
            type: condition.synchronized,
            status: 'False',
            reason: shownError.reason,
            message: shownError.message,
            lastTransitionTime: timestamp(pass.context.nowMs),
          }),
        ];
}
