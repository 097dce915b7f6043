import type { Pod } from '../../core/objects.ts';
import type { Pass } from '../pass.ts';
import { deleteEach, type PodDeletions } from '../pod-deletion.ts';
import { isBeingDeleted } from '../vmi-phase.ts';
import { isHotpluggable } from '../volumes/volume-claims.ts';
import { deleteAttachmentPod } from './attachment-deletion.ts';
import { attachedBy } from './attachment-pods.ts';

/** Phases of a volume that the node agent has not let go of. */
const IN_USE = new Set(['Ready', 'MountedToPod']);

/**
 * Deletes attachment pods that are no longer wanted, newest first (vmi.md 7.4). One stays as long as the active pod does not run,
 * if it holds what is still wanted; and all that hold what the node agent has still to unmount.
 */
export function cleanUpOldAttachments(
  pass: Pass,
  active: Pod | undefined,
  old: readonly Pod[],
  hasReadyVolumes: boolean,
): PodDeletions {
  const wanted = new Set((pass.vmi.spec.volumes ?? []).filter(isHotpluggable).map((v) => v.name));
  const toUnmount = volumesToUnmount(pass, wanted);
  const needsFallback = hasReadyVolumes && active?.status?.phase !== 'Running';
  const fallback = needsFallback
    ? old.find(
        (pod) =>
          pod.status?.phase === 'Running' &&
          !isBeingDeleted(pod) &&
          attachedBy(pod).some((name) => wanted.has(name) || toUnmount.has(name)),
      )
    : undefined;
  const superfluous = old.filter((pod) => pod !== fallback && !attachedBy(pod).some((name) => toUnmount.has(name)));
  return deleteEach(superfluous, 'FailedDelete', (pod) => deleteAttachmentPod(pass, pod));
}

/** Hotplugged volumes that left the spec and are still mounted. Utility volumes are never among the wanted ones. */
function volumesToUnmount({ vmi }: Pass, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const entries = vmi.status?.volumeStatus ?? [];
  return new Set(
    entries
      .filter((e) => e.hotplugVolume !== undefined && !wanted.has(e.name) && IN_USE.has(e.phase ?? ''))
      .map((e) => e.name),
  );
}
