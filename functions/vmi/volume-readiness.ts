import type { VirtualMachineInstance } from '../core/objects.ts';
import type { Pass, SyncError } from './pass.ts';
import { type VmiEvent } from './vmi-event.ts';
import type { Volume } from './vmi-types.ts';
import { claimNamed, claimNameOf, isRegularClaimVolume } from './volume-claims.ts';

export type VolumeReadiness =
  | { readonly type: 'ready' }
  | { readonly type: 'error'; readonly error: SyncError; readonly event: VmiEvent };

/**
 * Whether the claims of the regular volumes are there (vmi.md 5.3). A claim without a DataVolume above it is ready in any
 * phase.
 */
export function volumeReadiness(pass: Pass): VolumeReadiness {
  const missing = regularVolumes(pass.vmi).find((volume) => !claimExists(pass, volume));
  if (missing === undefined) return { type: 'ready' };
  const claim = claimNameOf(missing) ?? '';
  const message = `Waiting for claim ${claim} of volume ${missing.name}: it does not exist yet`;
  return {
    type: 'error',
    error: { type: 'informal', reason: 'FailedPvcNotFound', message },
    event: { type: 'Normal', reason: 'FailedPvcNotFound', message },
  };
}

function regularVolumes(vmi: VirtualMachineInstance): readonly Volume[] {
  return (vmi.spec.volumes ?? []).filter(isRegularClaimVolume);
}

function claimExists(pass: Pass, volume: Volume): boolean {
  return claimNamed(pass.reads.claims, claimNameOf(volume) ?? '') !== undefined;
}
