import type { Claim, PersistentVolume } from './objects.ts';
import { isOfNode } from './volume-object.ts';

/** The disk of a claim, as a file of this node. */
export interface ClaimDisk {
  /** Name of the volume. */
  readonly volume: string;
  readonly path: string;
}

/** How far a claim's disk is for a pod that wants it. */
export type ClaimState =
  | { readonly type: 'ready'; readonly disk: ClaimDisk }
  /** On its way. */
  | { readonly type: 'waiting' }
  /** Not to be had as things are; the message says why, as a kubelet tells it at the pod. */
  | { readonly type: 'unusable'; readonly message: string };

export interface ClaimDiskSituation {
  readonly nodeName: string;
  readonly name: string;
  readonly claim: Claim | undefined;
  /** That the claim names, if it is known. */
  readonly volume: PersistentVolume | undefined;
  /** Of the volume of that name; absent when there is none. */
  readonly path: string | undefined;
}

/**
 * Only volumes that this node's driver has made are taken, and their files are found by their names, whatever path a volume says:
 * others could lead to any file of the node.
 */
export function claimDisk({ nodeName, name, claim, volume, path }: ClaimDiskSituation): ClaimState {
  if (claim === undefined) return unusable(`persistentvolumeclaim "${name}" not found`);
  if (claim.metadata.deletionTimestamp !== undefined)
    return unusable(`persistentvolumeclaim "${name}" is being deleted`);
  if (claim.status?.phase === 'Lost') return unusable(`persistentvolumeclaim "${name}" has lost its volume`);
  if (claim.status?.phase !== 'Bound' || volume === undefined) return { type: 'waiting' };
  const { metadata, spec } = volume;
  if (spec.claimRef?.uid !== claim.metadata.uid) return unusable(`volume ${metadata.name} is bound to another claim`);
  if (!isOfNode(volume, nodeName)) return unusable(`volume ${metadata.name} is not one of this node's local volumes`);
  if (path === undefined) return unusable(`the file of volume ${metadata.name} is missing on this node`);
  return { type: 'ready', disk: { volume: metadata.name, path } };
}

function unusable(message: string): ClaimState {
  return { type: 'unusable', message };
}
