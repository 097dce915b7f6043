import type { Pod } from '../../../functions/core/objects.ts';
import type { ClaimDisk, ClaimState } from '../storage/claim-disk.ts';

/** Whoever knows the disks of claims. */
export interface ClaimSource {
  claim(namespace: string, name: string): ClaimState;
  /** Calls the listener when a claim may have become usable, or no longer be. */
  onClaim(listener: (namespace: string, claim: string) => void): void;
}

/** Claims of a pod: all there, some on their way, or one not to be had (for now). */
export type ClaimsState =
  | { readonly type: 'ready' }
  | { readonly type: 'waiting' }
  | { readonly type: 'unusable'; readonly message: string };

export interface FoundClaims {
  readonly state: ClaimsState;
  /** By the pod's volume; all of them when the state is `ready`. */
  readonly claims: Readonly<Record<string, ClaimDisk>>;
}

/** Names of a pod's claims by those of its volumes, which are those of the VMI's (launcher-pod.md 12.4, 17). */
export function claimNamesOf(pod: Pod): ReadonlyMap<string, string> {
  return new Map(
    (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim: claim }) =>
      claim === undefined ? [] : [[name, claim.claimName] as const],
    ),
  );
}

export function findClaims(pod: Pod, source: ClaimSource): FoundClaims {
  const claims: Record<string, ClaimDisk> = {};
  let state: ClaimsState = { type: 'ready' };
  for (const [volume, claimName] of claimNamesOf(pod)) {
    const found = source.claim(pod.metadata.namespace ?? '', claimName);
    if (found.type === 'ready') claims[volume] = found.disk;
    else if (found.type === 'unusable' && state.type !== 'unusable') {
      state = { type: 'unusable', message: `MountVolume.SetUp failed for volume "${volume}" : ${found.message}` };
    } else if (state.type === 'ready') state = { type: 'waiting' };
  }
  return { state, claims };
}
