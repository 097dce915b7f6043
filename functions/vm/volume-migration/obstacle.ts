import { isConditionStatus } from '../../core/conditions.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';

const BACKEND_STORAGE = 'persistent-state-for';
const SHARED = new Set<string>(['ReadWriteMany', 'ReadOnlyMany']);

/** What else of the VMI's storage would not come along (vm.md 7.5, step 5); none. */
export function obstacleTo(
  updated: ReadonlyMap<string, unknown>,
  { status }: VirtualMachineInstance,
): string | undefined {
  if (isConditionStatus(status?.conditions, 'StorageLiveMigratable', 'False')) return 'storage is not live migratable';
  const left = status?.volumeStatus?.find(
    ({ name, persistentVolumeClaimInfo: info }) =>
      info !== undefined &&
      !name.startsWith(BACKEND_STORAGE) &&
      !updated.has(name) &&
      !info.accessModes?.some((mode) => SHARED.has(mode)),
  );
  return left === undefined ? undefined : `volume ${left.name} is not shared, and is not to be migrated`;
}
