import type { AbsentByName } from '../../core/action.ts';
import { PersistentVolumeClaim as Claim, DataVolume } from '../../core/kinds.ts';
import { controllerOf } from '../../core/owner.ts';
import type { Pass, SyncError } from '../pass.ts';
import type { VmiEvent } from '../vmi-event.ts';
import { claimReadiness } from './claim-readiness.ts';
import { claimNamed, claimNameOf, isRegularClaimVolume } from './volume-claims.ts';

export type VolumeReadiness =
  /** `waitsForConsumer`: a pod has to mount some of them before they are filled; that alone does not make them unready. */
  | { readonly type: 'known'; readonly isReady: boolean; readonly waitsForConsumer: boolean }
  | {
      readonly type: 'error';
      readonly error: SyncError;
      readonly event: VmiEvent;
      /** What it rests on: that is looked up at the API before anything is said of it. */
      readonly missing: AbsentByName;
    };

/** What the VMI's regular volumes, taken together, are (vmi.md 5.3). The first claim or DataVolume that is missing ends it. */
export function volumeReadiness(pass: Pass): VolumeReadiness {
  let isReady = true;
  let waitsForConsumer = false;
  for (const volume of pass.vmi.spec.volumes ?? []) {
    if (!isRegularClaimVolume(volume)) continue;
    const claimName = claimNameOf(volume) ?? '';
    const readiness = claimReadiness(pass, claimName);
    if (readiness === 'claim-missing') return claimMissing(pass, claimName, volume.name);
    if (readiness === 'data-volume-missing') return dataVolumeMissing(pass, claimName, volume.name);
    waitsForConsumer ||= readiness === 'waits-for-consumer';
    isReady &&= readiness !== 'not-ready';
  }
  return { type: 'known', isReady, waitsForConsumer };
}

/** Nothing is tried before the claim appears. */
function claimMissing({ vmi }: Pass, claimName: string, volume: string): VolumeReadiness {
  const reason = 'FailedPvcNotFound';
  const message = `Waiting for claim ${claimName} of volume ${volume}: it does not exist yet`;
  return {
    type: 'error',
    error: { type: 'informal', reason, message },
    event: { type: 'Normal', reason, message },
    missing: { type: 'absent-name', kind: Claim.kind, namespace: vmi.metadata.namespace, name: claimName },
  };
}

function dataVolumeMissing({ vmi, reads }: Pass, claimName: string, volume: string): VolumeReadiness {
  const claim = claimNamed(reads.claims, claimName);
  const name = (claim && controllerOf(claim)?.name) ?? '';
  const message = `Whether claim ${claimName} of volume ${volume} is filled is unknown: its DataVolume does not exist`;
  return {
    type: 'error',
    error: { type: 'retried', reason: 'FailedDataVolumeImport', message },
    event: { type: 'Warning', reason: 'FailedPvcNotFound', message },
    missing: { type: 'absent-name', kind: DataVolume.kind, namespace: vmi.metadata.namespace, name },
  };
}
