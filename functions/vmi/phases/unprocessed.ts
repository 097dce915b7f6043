import { addCondition, conditionOf, newCondition, removeCondition } from '../../core/conditions.ts';
import { condition } from '../names.ts';
import { isFailedOrGoingDown, launcherPod } from '../pod-predicates.ts';
import { followPodScheduled } from '../pod-scheduled-condition.ts';
import { type StatusDraft, setPhase } from '../status-draft.ts';
import { addTopologyHints } from '../topology-hints.ts';
import { awaitsSynchronization, isBeingDeleted } from '../vmi-phase.ts';
import { awaitsConsumer, dataVolumesOf, hasFailed } from '../volumes/data-volumes.ts';
import { failWithoutPod } from './missing-pod.ts';

/** Unset and Pending (vmi.md 8.3). */
export function advanceUnprocessed(draft: StatusDraft): void {
  const { pass } = draft;
  if (launcherPod(draft.pod) !== undefined) return setPhase(draft, 'Scheduling');
  if (isBeingDeleted(pass.vmi) || hasFailed(dataVolumesOf(pass))) return failWithoutPod(draft);
  addTopologyHints(draft);
  if (awaitsSynchronization(pass.vmi)) return setPhase(draft, 'WaitingForSync');
  setPhase(draft, 'Pending');
  if (awaitsConsumer(dataVolumesOf(pass))) showProvisioning(draft);
  if (draft.syncError?.reason === 'FailedPvcNotFound') showUnschedulable(draft, draft.syncError.message);
}

/** Claims wait for their first consumer; a temporary pod that ends badly ends the VMI (4a). */
function showProvisioning(draft: StatusDraft): void {
  const { status } = draft.vmi;
  status.conditions = addCondition(status.conditions, { type: condition.provisioning, status: 'True' });
  if (draft.pod === undefined) return;
  followPodScheduled(draft, draft.pod);
  if (isFailedOrGoingDown(draft.pod)) setPhase(draft, 'Failed');
}

/** A VMI that waits for a claim counts as one that can't be scheduled (4c). One that says so already stays in its place. */
function showUnschedulable({ vmi }: StatusDraft, message: string): void {
  const { conditions } = vmi.status;
  const present = conditionOf(conditions, condition.podScheduled);
  const wanted = { type: condition.podScheduled, status: 'False', reason: 'Unschedulable', message };
  const isSaid = present?.status === wanted.status && present.reason === wanted.reason && present.message === message;
  if (isSaid) return;
  vmi.status.conditions = [...(removeCondition(conditions, condition.podScheduled) ?? []), newCondition(wanted)];
}
