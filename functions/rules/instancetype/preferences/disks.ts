import type { V1Disk } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { PreferenceSpec } from '../profile.ts';
import { fill, fillZero, isPresent } from '../set-members.ts';

/** Buses of CD-ROMs and LUNs; of disks also block size, cache and the like (vm.md 10.6). One without a type becomes a disk. */
export function applyToDisk(draft: V1Disk, devices: NonNullable<PreferenceSpec['devices']>): void {
  if (isPresent(draft.cdrom)) {
    fillZero(draft.cdrom, 'bus', devices.preferredCdromBus);
    return;
  }
  if (isPresent(draft.lun)) {
    fillZero(draft.lun, 'bus', devices.preferredLunBus);
    return;
  }
  const disk = (draft.disk ??= {});
  fillZero(disk, 'bus', devices.preferredDiskBus);
  fill(draft, 'blockSize', devices.preferredDiskBlockSize);
  fillZero(draft, 'cache', devices.preferredDiskCache);
  fillZero(draft, 'io', devices.preferredDiskIO);
  if (disk.bus === 'virtio') fill(draft, 'dedicatedIOThread', devices.preferredDiskDedicatedIoThread);
}
