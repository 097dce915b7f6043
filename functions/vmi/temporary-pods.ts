import type { Pod } from '../core/objects.ts';
import { controllerOf } from '../core/owner.ts';
import { deletePod, type PodDeletion, tellDeletion } from './delete-pod.ts';
import type { Pass } from './pass.ts';
import { deleteEach, type PodDeletions } from './pod-deletion.ts';
import { isTemporary } from './pod-predicates.ts';
import { isBeingDeleted } from './vmi-phase.ts';

const BECAUSE = 'since claims wait for it no longer';

/**
 * Deletes the pods that only had to have claims bound, the VMI's and the current pod's (vmi.md 6.5). One that has not begun to run
 * stays until it has; the event is written all the same.
 */
export function cleanUpTemporaryPods(pass: Pass, current: Pod): PodDeletions {
  return deleteEach(temporaryPods(pass, current), 'FailedHotplugSync', (pod) => cleanUp(pass, pod));
}

function temporaryPods({ pods, reads }: Pass, current: Pod): readonly Pod[] {
  const triggers = reads.attachments.filter((p) => controllerOf(p)?.uid === current.metadata.uid);
  return [...pods, ...triggers].filter(isTemporary);
}

function cleanUp(pass: Pass, pod: Pod): PodDeletion {
  const phase = pod.status?.phase ?? '';
  const hasRun = phase === 'Running' || phase === 'Succeeded' || phase === 'Failed';
  // A pod that goes without grace already is not asked again, so that one with a finalizer comes to rest.
  const isGoing = isBeingDeleted(pod) && pod.metadata.deletionGracePeriodSeconds === 0;
  if (isGoing) return { type: 'asked', actions: [] };
  if (!hasRun) return { type: 'asked', actions: [tellDeletion(pass, pod, BECAUSE)] };
  return deletePod(pass, pod, BECAUSE, 0);
}
