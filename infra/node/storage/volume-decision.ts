import type { PersistentVolume } from './objects.ts';
import { VOLUME_FINALIZER } from './provisioner.ts';
import { isOfNode } from './volume-object.ts';

/** What the driver has to do for a volume. */
export type VolumeDecision =
  | { readonly type: 'none' }
  /** First the file, then the volume itself. */
  | { readonly type: 'delete' }
  /** As `delete`, but a guest still has the file. */
  | { readonly type: 'await-guest' }
  /** The volume may go; its file stays. */
  | { readonly type: 'let-go' };

export interface VolumeSituation {
  readonly nodeName: string;
  readonly volume: PersistentVolume;
  /** Whether a guest of this node has the file. */
  readonly inUse: boolean;
}

/** Files go with their volumes where the reclaim policy says so, and only when the claim has gone before. */
export function decideVolume({ nodeName, volume, inUse }: VolumeSituation): VolumeDecision {
  if (!isOfNode(volume, nodeName)) return { type: 'none' };
  const { deletionTimestamp, finalizers = [] } = volume.metadata;
  if (volume.spec.persistentVolumeReclaimPolicy !== 'Delete') {
    const held = deletionTimestamp !== undefined && finalizers.includes(VOLUME_FINALIZER);
    return { type: held ? 'let-go' : 'none' };
  }
  if (volume.status?.phase !== 'Released') return { type: 'none' };
  return { type: inUse ? 'await-guest' : 'delete' };
}
