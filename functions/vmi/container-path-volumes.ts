import type { Pod, VirtualMachineInstance } from '../core/objects.ts';

/** Volumes that share a path of the launcher's containers with the guest through virtiofs (vmi.md 6.6). */
export function containerPathVolumes(vmi: VirtualMachineInstance): readonly string[] {
  const shared = new Set(
    vmi.spec.domain.devices?.filesystems?.filter((f) => f.virtiofs !== undefined).map((f) => f.name),
  );
  return (vmi.spec.volumes ?? []).filter((v) => v.containerPath !== undefined && shared.has(v.name)).map((v) => v.name);
}

/** Names of virtiofs containers that the pod should have and has not. */
export function missingVirtiofsContainers(vmi: VirtualMachineInstance, pod: Pod): readonly string[] {
  const present = new Set(pod.spec.containers.map((c) => c.name));
  return containerPathVolumes(vmi)
    .map((volume) => `virtiofs-${volume}`)
    .filter((container) => !present.has(container));
}
