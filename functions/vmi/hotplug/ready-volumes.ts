import type { Action } from '../../core/action.ts';
import type { Pod } from '../../core/objects.ts';
import type { Pass, SyncError } from '../pass.ts';
import { isTemporary } from '../pod-predicates.ts';
import type { Volume } from '../vmi-types.ts';
import { claimReadiness } from '../volumes/claim-readiness.ts';
import { claimNamed, claimNameOf } from '../volumes/volume-claims.ts';
import { attachedBy } from './attachment-pods.ts';
import { type ClaimedVolume, createTriggerPod } from './hotplug-pod-creation.ts';
import { isUtilityVolume } from './hotplug-volumes.ts';

export interface ReadyVolumes {
  /** Trigger pods for volumes that wait for their first consumer. */
  readonly actions: readonly Action[];
  readonly ready: readonly ClaimedVolume[];
  /** Names of the volumes that wait for their first consumer. */
  readonly waiting: ReadonlySet<string>;
  /** Nothing is attached while one volume is in the way. */
  readonly error?: SyncError;
}

/** Which hotplug volumes can be attached now (vmi.md 7.3, step 1). The first that is in the way ends it. */
export function readyVolumes(
  pass: Pass,
  launcher: Pod,
  volumes: readonly Volume[],
  attachmentPods: readonly Pod[],
): ReadyVolumes {
  const actions: Action[] = [];
  const ready: ClaimedVolume[] = [];
  const waiting = new Set<string>();
  for (const volume of volumes) {
    const claimName = claimNameOf(volume) ?? '';
    const claim = claimNamed(pass.reads.claims, claimName);
    const readiness = claimReadiness(pass, claimName);
    if (claim === undefined || readiness === 'claim-missing' || readiness === 'data-volume-missing') {
      const what = readiness === 'data-volume-missing' ? 'its DataVolume does not exist' : 'it does not exist';
      const message = `Claim ${claimName} of volume ${volume.name} can't be attached: ${what}`;
      return { actions, ready, waiting, error: { type: 'retried', reason: 'PVCNotReady', message } };
    }
    // The launcher reads and writes utility volumes as files.
    if (isUtilityVolume(pass.vmi, volume.name) && claim.spec.volumeMode === 'Block') continue;
    if (readiness === 'ready') ready.push({ volume, claim });
    if (readiness !== 'waits-for-consumer') continue;
    waiting.add(volume.name);
    // The original makes another one in each pass in which the pods do not match the volumes.
    if (attachmentPods.some((p) => isTemporary(p) && attachedBy(p).includes(volume.name))) continue;
    const trigger = createTriggerPod(pass, launcher, { volume, claim });
    actions.push(...trigger.actions);
    if (trigger.error !== undefined) return { actions, ready, waiting, error: trigger.error };
  }
  return { actions, ready, waiting };
}
