/** The entry of backend storage in a VMI's volume status (vmi.md 9.4). */
import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../core/objects.ts';
import { STATE_OF, STATE_VOLUME } from './names.ts';

type Entries = NonNullable<VirtualMachineInstance['status']>['volumeStatus'];
type Entry = NonNullable<Entries>[number];
type AccessModes = NonNullable<Entry['persistentVolumeClaimInfo']>['accessModes'];

/** The entries with that of the claim: the first that bears such a name is brought up to date, else one is added. */
export function withBackendStorage(entries: Entries, { metadata, spec }: PersistentVolumeClaim): Entry[] {
  const at = entries?.findIndex(isOfBackendStorage) ?? -1;
  const old = entries?.[at];
  const { accessModes: _, ...info } = old?.persistentVolumeClaimInfo ?? {};
  const entry: Entry = {
    target: '',
    ...old,
    name: STATE_VOLUME,
    persistentVolumeClaimInfo: {
      ...info,
      claimName: metadata.name,
      ...(spec.accessModes === undefined ? {} : { accessModes: spec.accessModes as AccessModes }),
    },
  };
  return old === undefined ? [...(entries ?? []), entry] : (entries ?? []).with(at, entry);
}

/** The claim that a VMI uses now, by its status. */
export function backendStorageClaimName({ status }: Pick<VirtualMachineInstance, 'status'>): string | undefined {
  return status?.volumeStatus?.find(isOfBackendStorage)?.persistentVolumeClaimInfo?.claimName;
}

function isOfBackendStorage({ name }: Entry): boolean {
  return name.startsWith(STATE_OF);
}
