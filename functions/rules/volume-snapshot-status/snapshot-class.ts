import type { StorageClass, StorageProfile, VolumeSnapshotClass } from '../../core/objects.ts';

const DEFAULT_MARK = 'snapshot.storage.kubernetes.io/is-default-class';

/** Cluster-wide objects that tell which class takes snapshots of what. */
export interface SnapshotClassView {
  readonly storageClasses: readonly StorageClass[];
  readonly storageProfiles: readonly StorageProfile[];
  readonly snapshotClasses: readonly VolumeSnapshotClass[];
}

export type ChosenSnapshotClass =
  | { readonly type: 'class'; readonly snapshotClass: VolumeSnapshotClass }
  | { readonly type: 'none' }
  | { readonly type: 'error'; readonly message: string };

/** The VolumeSnapshotClass for volumes of a storage class (snapshot-restore.md 10). */
export function chooseSnapshotClass(storageClassName: string, view: SnapshotClassView): ChosenSnapshotClass {
  const storageClass = view.storageClasses.find((c) => c.metadata.name === storageClassName);
  if (storageClass === undefined) return { type: 'none' };

  const profile = view.storageProfiles.find((p) => p.metadata.name === storageClassName);
  const named = profile?.status?.snapshotClass ?? '';
  if (named !== '') return found(view.snapshotClasses.find((c) => c.metadata.name === named));

  const candidates = view.snapshotClasses.filter((c) => c.driver === storageClass.provisioner);
  if (candidates.length <= 1) return found(candidates[0]);
  const marked = candidates.find((c) => c.metadata.annotations?.[DEFAULT_MARK] !== undefined);
  if (marked !== undefined) return found(marked);
  const message = `${candidates.length} VolumeSnapshotClasses for storage class ${storageClassName}, none the default`;
  return { type: 'error', message };
}

function found(snapshotClass: VolumeSnapshotClass | undefined): ChosenSnapshotClass {
  return snapshotClass === undefined ? { type: 'none' } : { type: 'class', snapshotClass };
}
