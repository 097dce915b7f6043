/** Where a controller that tells snapshot statuses looks, given what it has found: values for its reads' indexes. */
import { keyFor, type ObjectIndex } from '../../core/object-index.ts';
import type {
  DataVolume,
  StorageClass,
  StorageProfile,
  VirtualMachine,
  VolumeSnapshotClass,
} from '../../core/objects.ts';
import { type StorageView, storageClassOf } from './storage-class-of.ts';

/** Keys of VMs that own the data volumes, but for the VM itself. */
export function dataVolumeOwnerKeys(vm: VirtualMachine, dataVolumes: readonly DataVolume[]): readonly string[] {
  return dataVolumes
    .flatMap(({ metadata }) => metadata.ownerReferences ?? [])
    .filter(({ kind, name }) => kind === vm.kind && name !== vm.metadata.name)
    .map(({ name }) => keyFor(vm.metadata.namespace, name));
}

/** Names of the storage classes of a VM's volumes, and of the claims that hold its state. */
export function storageClassNames(
  vm: VirtualMachine,
  view: StorageView & { readonly backendClaims: StorageView['claims'] },
): readonly string[] {
  const ofVolumes = (vm.spec.template?.spec?.volumes ?? []).flatMap((volume) => {
    const storageClass = storageClassOf(volume, vm, view);
    return storageClass.type === 'named' ? [storageClass.name] : [];
  });
  const ofState = view.backendClaims.map((c) => c.spec.storageClassName ?? '');
  return [...new Set([...ofVolumes, ...ofState])].filter((name) => name !== '');
}

/** Snapshot classes by their driver, and by their name. */
export const byDriverAndName: ObjectIndex<VolumeSnapshotClass> = {
  name: 'driver-and-name',
  valuesOf: ({ driver, metadata }) => [`driver ${driver ?? ''}`, `name ${metadata.name}`],
};

/** Values of `byDriverAndName` that can be of use for these storage classes. */
export function snapshotClassValues(
  storageClasses: readonly StorageClass[],
  storageProfiles: readonly StorageProfile[],
): readonly string[] {
  const named = storageProfiles.map((p) => p.status?.snapshotClass ?? '').filter((name) => name !== '');
  return [...storageClasses.map((c) => `driver ${c.provisioner ?? ''}`), ...named.map((name) => `name ${name}`)];
}
