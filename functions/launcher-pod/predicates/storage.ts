/** Predicates about storage (launcher-pod.md 4). */
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { VmiVolume } from '../pod-types.ts';

/** Names of volumes that attachment pods mount, not the launcher pod. */
export function hotplugVolumeNames(vmi: VirtualMachineInstance): ReadonlySet<string> {
  const attached = (vmi.status?.volumeStatus ?? []).filter((s) => s.hotplugVolume !== undefined);
  const hotpluggable = volumesOf(vmi).filter(
    (v) => v.dataVolume?.hotpluggable === true || v.persistentVolumeClaim?.hotpluggable === true,
  );
  return new Set([...attached, ...hotpluggable].map((v) => v.name));
}

export function volumesOf(vmi: VirtualMachineInstance): readonly VmiVolume[] {
  return vmi.spec.volumes ?? [];
}

/** The image that holds kernel and initrd of a VMI that is booted from them. */
export function kernelBootImage(vmi: VirtualMachineInstance) {
  return vmi.spec.domain.firmware?.kernelBoot?.container;
}

export function usesVirtiofs(vmi: VirtualMachineInstance): boolean {
  return vmi.spec.domain.devices?.filesystems?.some((f) => f.virtiofs !== undefined) === true;
}

export function usesHugepages(vmi: VirtualMachineInstance): boolean {
  return vmi.spec.domain.memory?.hugepages !== undefined;
}
