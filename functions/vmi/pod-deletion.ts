import type { Action } from '../core/action.ts';
import type { OpenExpectation } from '../core/expectation.ts';
import type { Pod } from '../core/objects.ts';
import { deletePod, type PodDeletion } from './delete-pod.ts';
import type { Pass, SyncError } from './pass.ts';
import { isDown } from './pod-predicates.ts';
import { isBeingDeleted } from './vmi-phase.ts';

export interface PodDeletions {
  readonly actions: readonly Action[];
  readonly error?: SyncError;
  /** A deletion whose result is known and not seen yet: it is not repeated. */
  readonly heldBackBy?: OpenExpectation;
}

/**
 * Deletes the pods that a VMI owns (vmi.md 6.1). A pod that is being deleted is left alone unless it is finished: then it is
 * deleted again, to get rid of leftovers.
 */
export function deleteOwnedPods(pass: Pass): PodDeletions {
  const pods = pass.pods.filter((pod) => !isBeingDeleted(pod) || isDown(pod));
  return deleteEach(pods, 'FailedDelete', (pod) => deletePod(pass, pod, 'with its VMI'));
}

/** The first deletion that failed ends it, with an error of that reason; the pods after it are left for the next pass. */
export function deleteEach(
  pods: readonly Pod[],
  failureReason: string,
  remove: (pod: Pod) => PodDeletion,
): PodDeletions {
  const actions: Action[] = [];
  let heldBackBy: OpenExpectation | undefined;
  for (const pod of pods) {
    const deletion = remove(pod);
    actions.push(...deletion.actions);
    if (deletion.type === 'failed') {
      return { actions, error: { type: 'retried', reason: failureReason, message: deletion.message } };
    }
    if (deletion.type === 'awaited') heldBackBy = deletion.expectation;
  }
  return heldBackBy === undefined ? { actions } : { actions, heldBackBy };
}
