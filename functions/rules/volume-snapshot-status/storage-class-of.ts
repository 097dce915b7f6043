import type { V1Volume } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { DataVolume, PersistentVolumeClaim, VirtualMachine } from '../../core/objects.ts';

/** What tells a volume's storage class; all of it in the VM's namespace. */
export interface StorageView {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly dataVolumes: readonly DataVolume[];
  /** VMs that own data volumes, but for the VM itself. */
  readonly dataVolumeOwners: readonly VirtualMachine[];
}

/** `named`: the name may be empty, which no class has. */
export type StorageClassOf =
  | { readonly type: 'named'; readonly name: string }
  | { readonly type: 'error'; readonly message: string }
  /** Not a volume that can be snapshotted. */
  | { readonly type: 'unsupported' };

/** The storage class of a VM's volume (snapshot-restore.md 12). */
export function storageClassOf(volume: V1Volume, vm: VirtualMachine, view: StorageView): StorageClassOf {
  const claimName = volume.persistentVolumeClaim?.claimName ?? volume.memoryDump?.claimName;
  if (claimName !== undefined) return classOfClaim(claimName, view);
  const name = volume.dataVolume?.name;
  if (name === undefined) return { type: 'unsupported' };
  const dataVolume = view.dataVolumes.find((d) => d.metadata.name === name);
  const chosen = dataVolume === undefined ? undefined : classOfDataVolume(dataVolume, vm, view);
  return chosen === undefined ? classOfClaim(name, view) : { type: 'named', name: chosen };
}

function classOfClaim(name: string, { claims }: StorageView): StorageClassOf {
  const claim = claims.find((c) => c.metadata.name === name);
  if (claim === undefined) return { type: 'error', message: `PVC ${name} not found` };
  return { type: 'named', name: claim.spec.storageClassName ?? '' };
}

/** As its spec says, or the template that it was made from; `spec.storage` is not looked at. */
function classOfDataVolume(dataVolume: DataVolume, vm: VirtualMachine, view: StorageView): string | undefined {
  const own = dataVolume.spec?.pvc?.storageClassName;
  if (own !== undefined && own !== '') return own;
  for (const { kind, name } of dataVolume.metadata.ownerReferences ?? []) {
    if (kind !== vm.kind) continue;
    const owner = [vm, ...view.dataVolumeOwners].find((o) => o.metadata.name === name);
    const template = owner?.spec.dataVolumeTemplates?.find((t) => nameOf(t) === dataVolume.metadata.name);
    const templated = template?.spec.pvc?.storageClassName;
    if (templated !== undefined) return templated;
  }
  return undefined;
}

function nameOf({ metadata }: { metadata?: { name?: string } }): string | undefined {
  return metadata?.name;
}
