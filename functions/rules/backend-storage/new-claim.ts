import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { freeDerivedName } from '../../core/derived-name.ts';
import type {
  PersistentVolumeClaim,
  StorageClass,
  StorageProfile,
  VirtualMachineInstance,
} from '../../core/objects.ts';
import { ownerReferenceTo } from '../../core/owner.ts';
import { APPLY_STORAGE_PROFILE, MIGRATION_NAME, STATE_OF } from './names.ts';
import { tracksChangedBlocks } from './need.ts';
import { stateAccessMode, stateStorageClass } from './storage-class.ts';

export interface NewClaimInput {
  readonly vmi: VirtualMachineInstance;
  /** Whose the claim is to be at first: a migration's is handed over to the VMI in the end. */
  readonly holder:
    | { readonly type: 'vmi' }
    | { readonly type: 'migration'; readonly name: string; readonly uid: string };
  readonly configuration: ClusterConfiguration;
  readonly storageClasses: readonly StorageClass[];
  readonly storageProfiles: readonly StorageProfile[];
  /** Names that claims of the snapshot bear, those that are being deleted included. */
  readonly borne: ReadonlySet<string>;
}

export type NewClaim =
  | { readonly type: 'claim'; readonly claim: PersistentVolumeClaim }
  | { readonly type: 'error'; readonly message: string };

/** A claim for a VMI's state (vmi.md 9.2). It belongs to the VMI's owners, so that it outlives the VMI where there are any. */
export function newBackendStorageClaim(input: NewClaimInput): NewClaim {
  const { vmi, holder, configuration, storageClasses, storageProfiles, borne } = input;
  const storageClassName = stateStorageClass(configuration, storageClasses);
  if (storageClassName === undefined) return { type: 'error', message: 'There is no default storage class' };
  const { name: vmiName, namespace, uid = '', ownerReferences = [] } = vmi.metadata;
  const generateName = `${STATE_OF}-${vmiName}-`;
  const { name } =
    holder.type === 'vmi'
      ? freeDerivedName(generateName, uid, 'backend storage', borne)
      : freeDerivedName(generateName, holder.uid, 'backend storage of a target', borne);
  const mark: Record<string, string> =
    holder.type === 'vmi' ? { [STATE_OF]: vmiName } : { [MIGRATION_NAME]: holder.name };
  const claim: PersistentVolumeClaim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      generateName,
      name,
      namespace,
      labels: { ...mark, [APPLY_STORAGE_PROFILE]: 'true' },
      ownerReferences: ownerReferences.length > 0 ? ownerReferences : [ownerReferenceTo(vmi)],
    },
    spec: {
      accessModes: [stateAccessMode(configuration, storageClassName, storageProfiles)],
      resources: { requests: { storage: tracksChangedBlocks(vmi) ? '522Mi' : '10Mi' } },
      storageClassName,
      volumeMode: 'Filesystem',
    },
  };
  return { type: 'claim', claim };
}
