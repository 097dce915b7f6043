/** Attachment pods that nobody needs any more (vmi.md 6.2, 6.3, 6.8). */
import type { Action } from '../../core/action.ts';
import type { Pod } from '../../core/objects.ts';
import { deletePod, type PodDeletion } from '../delete-pod.ts';
import type { Pass } from '../pass.ts';
import { deleteEach, type PodDeletions } from '../pod-deletion.ts';
import { isDown } from '../pod-predicates.ts';
import { isBeingDeleted } from '../vmi-phase.ts';
import { attachmentPodsOf } from './attachment-pods.ts';

export function deleteAttachmentPod(pass: Pass, pod: Pod): PodDeletion {
  return isBeingDeleted(pod)
    ? { type: 'asked', actions: [] }
    : deletePod(pass, pod, 'since nothing is attached through it any more', 0);
}

/** Of a VMI that is final: those of its current pod. */
export function deleteAttachmentPods(pass: Pass, current: Pod | undefined): PodDeletions {
  const pods = current === undefined ? [] : attachmentPodsOf(pass, current);
  return deleteEach(pods, 'FailedHotplugSync', (pod) => deleteAttachmentPod(pass, pod));
}

/** Those of pods that are over, such as the target of a migration that failed. What can't be deleted is left for another time. */
export function deleteOrphanedAttachmentPods(pass: Pass): readonly Action[] {
  return pass.pods
    .filter(isDown)
    .flatMap((owner) => attachmentPodsOf(pass, owner))
    .flatMap((pod) => deleteAttachmentPod(pass, pod).actions);
}
