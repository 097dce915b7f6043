import { conditionOf, updateCondition } from '../core/conditions.ts';
import { timestamp } from '../core/context.ts';
import type { Condition } from '../core/objects.ts';
import { condition } from './names.ts';
import { isDownOrGoingDown, launcherPod } from './pod-predicates.ts';
import type { StatusDraft } from './status-draft.ts';
import { phaseOf } from './vmi-phase.ts';

/** Keeps the condition `Ready` (vmi.md 8.2). */
export function updateReady(draft: StatusDraft): void {
  draft.vmi.status.conditions = updateCondition(draft.vmi.status.conditions, readyCondition(draft));
}

function readyCondition({ pod: current, pass }: StatusDraft): Condition {
  const now = timestamp(pass.context.nowMs);
  const notReady = (reason: string, message: string): Condition => ({
    type: condition.ready,
    status: 'False',
    reason,
    message,
    lastProbeTime: now,
    lastTransitionTime: now,
  });
  const pod = launcherPod(current);
  if (pod === undefined) return notReady('PodNotExists', 'There is no launcher pod');
  if (isDownOrGoingDown(pod)) return notReady('PodTerminating', 'The launcher pod is ending');
  if (phaseOf(pass.vmi) !== 'Running') return notReady('GuestNotRunning', 'The guest is not running');
  const ready = conditionOf(pod.status?.conditions, condition.ready);
  return ready ?? notReady('PodConditionMissing', 'The launcher pod does not say whether it is ready');
}
