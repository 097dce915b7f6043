import type { V1Volume } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';

/** A disk that comes and goes while the VMI runs (vm.md 6.4); memory dumps are plugged otherwise. */
export function isHotplugDisk({ persistentVolumeClaim, dataVolume }: V1Volume): boolean {
  return (persistentVolumeClaim ?? dataVolume)?.hotpluggable === true;
}

/** Volumes that can be plugged into a running VMI; memory dump volumes among them (vm.md 11.3). */
export function isHotplugVolume(volume: V1Volume): boolean {
  return isHotplugDisk(volume) || volume.memoryDump?.hotpluggable === true;
}
