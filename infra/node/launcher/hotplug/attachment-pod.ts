import type { Pod } from '../../../../functions/core/objects.ts';
import type { ClaimsState } from '../claims-of-pods.ts';
import { isTemporary } from '../launcher-pod.ts';
import { succeeded } from '../outcome.ts';
import type { PodCourse } from '../pod-status.ts';

const OWNER_VMI = 'kubevirt.io/owner-vmi-name';

/** A pod that brings volumes to a node on which their VMI runs already (launcher-pod.md 17, 18). */
export function isAttachment(pod: Pod): boolean {
  return pod.metadata.labels?.['kubevirt.io'] === 'hotplug-disk';
}

/** Name of the VMI that an attachment pod is for. */
export function vmiNameOfAttachment(pod: Pod): string {
  return pod.metadata.annotations?.[OWNER_VMI] ?? pod.metadata.name;
}

export function isAttachmentOf(pod: Pod, launcher: Pod): boolean {
  return isAttachment(pod) && pod.metadata.ownerReferences?.some(({ uid }) => uid === launcher.metadata.uid) === true;
}

/** What a kubelet does with such a pod: it runs while its claims are there, and does nothing. */
export type AttachmentDecision =
  | { readonly type: 'none' }
  | { readonly type: 'remove-pod' }
  | { readonly type: 'report'; readonly course: PodCourse; readonly problem?: string };

export function decideAttachment(pod: Pod, claims: ClaimsState): AttachmentDecision {
  if (pod.metadata.deletionTimestamp !== undefined) return { type: 'remove-pod' };
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') return { type: 'none' };
  // What runs has its claims, whatever becomes of them.
  if (phase !== 'Running' && claims.type !== 'ready') {
    const problem = claims.type === 'unusable' ? { problem: claims.message } : {};
    return { type: 'report', course: { type: 'creating' }, ...problem };
  }
  // Made only to have volumes provisioned: its command ends at once.
  if (isTemporary(pod)) return { type: 'report', course: { type: 'ended', outcome: succeeded('temporary pod') } };
  return { type: 'report', course: { type: 'running' } };
}
