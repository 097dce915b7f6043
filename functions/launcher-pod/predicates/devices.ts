/** Predicates about devices (launcher-pod.md 4). */
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { VmiDisk } from '../pod-types.ts';

/** A GPU or host device. */
export interface HostDevice {
  readonly deviceName?: string;
  readonly claimName?: string;
  readonly requestName?: string;
}

export function gpusOf(vmi: VirtualMachineInstance): readonly HostDevice[] {
  return vmi.spec.domain.devices?.gpus ?? [];
}

export function hostDevicesOf(vmi: VirtualMachineInstance): readonly HostDevice[] {
  return vmi.spec.domain.devices?.hostDevices ?? [];
}

export function disksOf(vmi: VirtualMachineInstance): readonly VmiDisk[] {
  return vmi.spec.domain.devices?.disks ?? [];
}

export function hasClaimRequest(device: HostDevice): boolean {
  return (device.claimName ?? '') !== '' || (device.requestName ?? '') !== '';
}

/** A device that comes from a resource claim of the pod. */
export function isDraDevice(device: HostDevice): boolean {
  return (device.deviceName ?? '') === '' && hasClaimRequest(device);
}

/** A device that a device plugin offers as an extended resource. */
export function isPluginDevice(device: HostDevice): boolean {
  return (device.deviceName ?? '') !== '' && !hasClaimRequest(device);
}

/** Whether the guest is given devices of its node through VFIO. */
export function usesVfio(vmi: VirtualMachineInstance): boolean {
  const sriov = vmi.spec.domain.devices?.interfaces?.some((i) => i.sriov !== undefined) === true;
  return gpusOf(vmi).length > 0 || hostDevicesOf(vmi).length > 0 || sriov;
}

export function hasTpmDevice(vmi: VirtualMachineInstance): boolean {
  const tpm = vmi.spec.domain.devices?.tpm;
  return tpm !== undefined && tpm.enabled !== false;
}

/** A disk that keeps a SCSI reservation across nodes. */
export function hasReservation(disk: VmiDisk): boolean {
  return disk.lun?.reservation === true;
}
