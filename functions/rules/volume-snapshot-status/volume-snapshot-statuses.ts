import type { V1Volume, V1VolumeSnapshotStatus } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { PersistentVolumeClaim, VirtualMachine } from '../../core/objects.ts';
import { allVolumes } from './all-volumes.ts';
import { chooseSnapshotClass, type SnapshotClassView } from './snapshot-class.ts';
import { type StorageView, storageClassOf } from './storage-class-of.ts';

export interface SnapshotStatusView extends StorageView, SnapshotClassView {
  readonly backendClaims: readonly PersistentVolumeClaim[];
}

export type VolumeSnapshotStatuses =
  | { readonly type: 'statuses'; readonly statuses: V1VolumeSnapshotStatus[] }
  | { readonly type: 'error'; readonly message: string };

/** `status.volumeSnapshotStatuses` of a VM: which of its volumes can be snapshotted, and why not (snapshot-restore.md 12). */
export function volumeSnapshotStatuses(vm: VirtualMachine, view: SnapshotStatusView): VolumeSnapshotStatuses {
  const all = allVolumes(vm, view.backendClaims);
  if (all.type === 'error') return all;
  // The claim with the VM's state is looked up like those of other volumes.
  const withBackend = { ...view, claims: [...view.claims, ...view.backendClaims] };
  return { type: 'statuses', statuses: all.volumes.map((volume) => statusOf(volume, vm, withBackend)) };
}

function statusOf(volume: V1Volume, vm: VirtualMachine, view: SnapshotStatusView): V1VolumeSnapshotStatus {
  const { name } = volume;
  const no = (reason: string) => ({ name, enabled: false, reason });
  const storageClass = storageClassOf(volume, vm, view);
  if (storageClass.type === 'unsupported') return no(`Volume ${name} is of a type without snapshots`);
  if (storageClass.type === 'error') return no(storageClass.message);

  const chosen = chooseSnapshotClass(storageClass.name, view);
  switch (chosen.type) {
    case 'error':
      return no(chosen.message);
    case 'none':
      return no(`No VolumeSnapshotClass for storage class ${JSON.stringify(storageClass.name)} of volume ${name}`);
    case 'class':
      return { name, enabled: true };
  }
}
