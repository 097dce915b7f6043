import { controllerOf } from '../../core/owner.ts';
import type { Pass } from '../pass.ts';
import { dataVolumeNamed } from './data-volumes.ts';
import { claimNamed, isOwnedByDataVolume } from './volume-claims.ts';

/**
 * Whether a volume can be used, by its claim (vmi.md 5.2).
 *
 * - `ready`: filled, or nobody fills it; the claim's own phase does not matter.
 * - `waits-for-consumer`: it is filled once a pod mounts it.
 * - `not-ready`: it is being filled.
 * - `claim-missing`, `data-volume-missing`: nothing can be said.
 */
export type ClaimReadiness = 'ready' | 'waits-for-consumer' | 'not-ready' | 'claim-missing' | 'data-volume-missing';

export function claimReadiness(pass: Pass, claimName: string): ClaimReadiness {
  const claim = claimNamed(pass.reads.claims, claimName);
  if (claim === undefined) return 'claim-missing';
  if (!isOwnedByDataVolume(claim)) return 'ready';
  const dataVolume = dataVolumeNamed(pass, controllerOf(claim)?.name ?? '');
  if (dataVolume === undefined) return 'data-volume-missing';
  const phase = dataVolume.status?.phase;
  if (phase === 'Succeeded' || phase === 'PendingPopulation') return 'ready';
  return phase === 'WaitForFirstConsumer' ? 'waits-for-consumer' : 'not-ready';
}
