import type { Action } from '../../core/action.ts';
import type { OpenExpectation } from '../../core/expectation.ts';
import type { Pod } from '../../core/objects.ts';
import type { Pass, SyncError } from '../pass.ts';
import { isTemporary } from '../pod-predicates.ts';
import type { Volume } from '../vmi-types.ts';
import { activeAttachmentPod, attachedBy, attachmentPodsOf, createdMs, matches } from './attachment-pods.ts';
import { createAttachmentPod, unseenHotplugPod } from './hotplug-pod-creation.ts';
import { hotplugVolumesOf } from './hotplug-volumes.ts';
import { cleanUpOldAttachments } from './old-attachments.ts';
import { readyVolumes } from './ready-volumes.ts';

export interface HotplugResult {
  readonly actions: readonly Action[];
  readonly error?: SyncError;
  readonly heldBackBy?: OpenExpectation;
  readonly requeueAfterMs?: number;
}

/**
 * Has one attachment pod that holds just the hotplug volumes (vmi.md 7.2, 7.3).
 *
 * @param leaving uids of pods that this pass deletes already
 */
export function syncHotplug(pass: Pass, launcher: Pod, leaving: ReadonlySet<string>): HotplugResult {
  const volumes = hotplugVolumesOf(pass.vmi, launcher);
  const pods = attachmentPodsOf(pass, launcher);
  if (!isNeeded(pods, volumes)) return { actions: [] };
  const heldBackBy = unseenHotplugPod(pass);
  if (heldBackBy !== undefined) return { actions: [], heldBackBy };

  const { actions, ready, waiting, error } = readyVolumes(pass, launcher, volumes, pods);
  if (error !== undefined) return { actions, error };
  const readyOnes = ready.map((r) => r.volume);
  const active = activeAttachmentPod(pods, readyOnes);
  const old = oldPods(pods, readyOnes, waiting);
  const waitMs = active === undefined ? msUntilCreated(old[0], pass.context.nowMs) : 0;
  const creation =
    active === undefined && ready.length > 0 && waitMs === 0 && !old.some(isPending)
      ? createAttachmentPod(pass, launcher, ready)
      : { actions: [], pod: active };
  if (creation.error !== undefined) return { ...creation, actions: [...actions, ...creation.actions] };

  const superfluous = old.filter((p) => !leaving.has(p.metadata.uid ?? ''));
  const cleanUp = cleanUpOldAttachments(pass, creation.pod, superfluous, ready.length > 0);
  return {
    ...cleanUp,
    actions: [...actions, ...creation.actions, ...cleanUp.actions],
    ...(waitMs === 0 ? {} : { requeueAfterMs: waitMs }),
  };
}

/** One pod with just the wanted volumes is all there has to be. A pod on its way out is none (HP-02). */
function isNeeded(pods: readonly Pod[], volumes: readonly Volume[]): boolean {
  if (pods.length === 1) return activeAttachmentPod(pods, volumes) === undefined;
  return pods.length > 1 || volumes.length > 0;
}

/**
 * Newest first. A trigger pod whose volumes still wait is no old pod: it would be deleted and made again and again, and hold up
 * the volumes that are ready.
 */
function oldPods(pods: readonly Pod[], ready: readonly Volume[], waiting: ReadonlySet<string>): readonly Pod[] {
  return pods
    .filter((p) => !matches(p, ready))
    .filter((p) => !(isTemporary(p) && attachedBy(p).every((name) => waiting.has(name))))
    .toReversed();
}

function isPending({ status }: Pod): boolean {
  return !['Running', 'Succeeded', 'Failed'].includes(status?.phase ?? '');
}

/** Clocks that differ may show a pod as of the future; nothing is made beside it until then. */
function msUntilCreated(newest: Pod | undefined, nowMs: number): number {
  return newest === undefined ? 0 : Math.max(0, createdMs(newest) - nowMs);
}
