import type { V1VolumeSnapshotStatus } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { VirtualMachine } from '../core/objects.ts';
import { claimNameOf, templateVolumes } from './template-volumes.ts';

/**
 * `status.volumeSnapshotStatuses` (snapshot-restore.md 12) of a VM whose volumes have no claims: none of them can be
 * snapshotted. A VM with claims, backend storage included, keeps what it has: there the storage classes decide, which this
 * controller does not read.
 */
export function volumeSnapshotStatuses(vm: VirtualMachine): V1VolumeSnapshotStatus[] | undefined {
  const volumes = templateVolumes(vm);
  if (usesBackendStorage(vm) || volumes.some((v) => claimNameOf(v) !== undefined)) {
    return vm.status?.volumeSnapshotStatuses;
  }
  if (volumes.length === 0) return undefined;
  return volumes.map(({ name }) => ({ name, enabled: false, reason: `Volume ${name} is of a type without snapshots` }));
}

/** snapshot-restore.md 5. */
function usesBackendStorage({ spec, status }: VirtualMachine): boolean {
  const { devices, firmware } = spec.template?.spec?.domain ?? {};
  const tpm = devices?.tpm;
  const tracking = status?.changedBlockTracking?.state;
  return (
    (tpm !== undefined && tpm.enabled !== false && tpm.persistent === true) ||
    firmware?.bootloader?.efi?.persistent === true ||
    tracking === 'Initializing' ||
    tracking === 'Enabled'
  );
}
