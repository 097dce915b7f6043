import type { Action } from '../core/action.ts';
import { failureOf } from '../core/context.ts';
import type { OpenExpectation } from '../core/expectation.ts';
import type { Pod } from '../core/objects.ts';
import { type Pass, podRef, type SyncError } from './pass.ts';
import { isDown } from './pod-predicates.ts';
import { vmiEvent } from './vmi-event.ts';
import { isBeingDeleted } from './vmi-phase.ts';

export interface PodDeletion {
  readonly actions: readonly Action[];
  readonly error?: SyncError;
  /** A deletion whose result is known and not seen yet: it is not repeated. */
  readonly heldBackBy?: OpenExpectation;
}

/**
 * Deletes the pods that a VMI owns (vmi.md 6.1). A pod that is being deleted is left alone unless it is finished: then it is
 * deleted again, to get rid of leftovers. A deletion that failed in the last pass is not tried in this one, nor are the
 * pods after it.
 */
export function deleteOwnedPods(pass: Pass): PodDeletion {
  const actions: Action[] = [];
  let heldBackBy: OpenExpectation | undefined;
  for (const pod of pass.pods) {
    if (isBeingDeleted(pod) && !isDown(pod)) continue;
    const id = `delete pod ${pod.metadata.uid}`;
    const open = pass.context.expectations.find((e) => e.id === id);
    if (open !== undefined) {
      heldBackBy = open;
      continue;
    }
    const failure = failureOf(pass.context, id);
    if (failure !== undefined && failure.code !== 404) {
      const message = `Pod ${pod.metadata.name} could not be deleted: ${failure.message}`;
      actions.push(vmiEvent(pass.vmi, { type: 'Warning', reason: 'FailedDelete', message }, pod.metadata.name));
      return { actions, error: { type: 'retried', reason: 'FailedDelete', message } };
    }
    if (failure === undefined) actions.push(deletion(id, pod));
    const message = `Pod ${pod.metadata.name} is deleted with its VMI`;
    actions.push(vmiEvent(pass.vmi, { type: 'Normal', reason: 'SuccessfulDelete', message }, pod.metadata.name));
  }
  return heldBackBy === undefined ? { actions } : { actions, heldBackBy };
}

function deletion(id: string, pod: Pod): Action {
  return {
    id,
    verb: 'delete',
    target: podRef(pod),
    uid: pod.metadata.uid ?? '',
    resourceVersion: pod.metadata.resourceVersion ?? '',
    expect: true,
  };
}
