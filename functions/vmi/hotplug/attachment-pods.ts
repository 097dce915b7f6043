/** Attachment pods of a launcher pod, trigger pods included, and which of them is the current one (vmi.md 3.3, 7.2, 7.3). */
import type { Pod } from '../../core/objects.ts';
import { controllerOf } from '../../core/owner.ts';
import type { Pass } from '../pass.ts';
import { isBeingDeleted } from '../vmi-phase.ts';
import type { Volume } from '../vmi-types.ts';

/** Oldest first. */
export function attachmentPodsOf({ reads }: Pass, launcher: Pod): readonly Pod[] {
  return reads.attachments
    .filter((p) => controllerOf(p)?.uid === launcher.metadata.uid)
    .toSorted((a, b) => createdMs(a) - createdMs(b) || (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Names of the volumes that a pod attaches. */
export function attachedBy(pod: Pod): readonly string[] {
  return (pod.spec.volumes ?? []).flatMap((v) => (v.persistentVolumeClaim === undefined ? [] : [v.name]));
}

/**
 * Whether the pod attaches just these volumes. The original takes all of a pod's volumes but two for claims, and so never finds
 * a match where admission adds no token volume.
 */
export function matches(pod: Pod, volumes: readonly Volume[]): boolean {
  const attached = new Set(attachedBy(pod));
  return attached.size === volumes.length && volumes.every((v) => attached.has(v.name));
}

/** The youngest that attaches just these volumes and is not on its way out. */
export function activeAttachmentPod(pods: readonly Pod[], volumes: readonly Volume[]): Pod | undefined {
  return pods.findLast((p) => !isBeingDeleted(p) && matches(p, volumes));
}

export function createdMs(pod: Pod): number {
  return Date.parse(pod.metadata.creationTimestamp ?? '') || 0;
}
