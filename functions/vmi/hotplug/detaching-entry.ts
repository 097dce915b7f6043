import type { Pod } from '../../core/objects.ts';
import type { StatusDraft } from '../status-draft.ts';
import { isBeingDeleted } from '../vmi-phase.ts';
import type { VolumeStatus } from '../vmi-types.ts';
import { attachedBy } from './attachment-pods.ts';

/**
 * The status of a volume that left the spec (vmi.md 9.5, step 4): it stays as long as a pod attaches it. What the node agent has
 * still to unmount keeps its phase. `undefined`: nothing is left of it.
 */
export function detachingEntry(
  draft: StatusDraft,
  entry: VolumeStatus,
  attachmentPods: readonly Pod[],
): VolumeStatus | undefined {
  const pod = attachmentPods.find((p) => attachedBy(p).includes(entry.name));
  if (pod === undefined) return undefined;
  const { name, uid } = pod.metadata;
  const attached = {
    ...entry,
    hotplugVolume: { attachPodName: name, ...(uid === undefined ? {} : { attachPodUID: uid }) },
  };
  if (entry.phase === 'Ready' || entry.phase === 'MountedToPod') return attached;
  if (!isBeingDeleted(pod)) return { ...attached, phase: 'Detaching' };
  const reason = 'SuccessfulDelete';
  const message = `Attachment pod ${name} of volume ${entry.name} is deleted`;
  draft.events.push({ type: 'Normal', reason, message, subject: `volume ${entry.name}` });
  return { ...attached, phase: 'Detaching', reason, message };
}
