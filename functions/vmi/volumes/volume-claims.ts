/** Which volumes of a VMI stand on which claims (vmi.md 5.2, 7.1). */
import type { PersistentVolumeClaim, Pod, VirtualMachineInstance } from '../../core/objects.ts';
import { controllerOf } from '../../core/owner.ts';
import type { Volume } from '../vmi-types.ts';

/** The claim of a volume that is attached to the guest as it is: DataVolume, claim or memory dump. */
export function claimNameOf(volume: Volume): string | undefined {
  return volume.dataVolume?.name ?? volume.persistentVolumeClaim?.claimName ?? volume.memoryDump?.claimName;
}

/** All claims that rendering, readiness and volume status may look at, `ephemeral` ones included; each once. */
export function claimNamesOf(vmi: VirtualMachineInstance): readonly string[] {
  const names = (vmi.spec.volumes ?? []).flatMap((volume) => {
    const name = claimNameOf(volume) ?? volume.ephemeral?.persistentVolumeClaim?.claimName;
    return name === undefined || name === '' ? [] : [name];
  });
  return [...new Set(names)];
}

export function isHotpluggable(volume: Volume): boolean {
  return volume.dataVolume?.hotpluggable === true || volume.persistentVolumeClaim?.hotpluggable === true;
}

/** A DataVolume or claim that the launcher pod mounts from its start. */
export function isRegularClaimVolume(volume: Volume): boolean {
  return (volume.dataVolume !== undefined || volume.persistentVolumeClaim !== undefined) && !isHotpluggable(volume);
}

/** Spec volumes with a claim that the launcher pod does not mount (vmi.md 7.1); utility volumes aside. */
export function hotplugVolumesOf(vmi: VirtualMachineInstance, pod: Pod): readonly Volume[] {
  const mounted = new Set(pod.spec.volumes?.map((v) => v.name));
  return (vmi.spec.volumes ?? []).filter((v) => claimNameOf(v) !== undefined && !mounted.has(v.name));
}

export function claimNamed(claims: readonly PersistentVolumeClaim[], name: string): PersistentVolumeClaim | undefined {
  return claims.find((c) => c.metadata.name === name);
}

export function isOwnedByDataVolume(claim: PersistentVolumeClaim): boolean {
  return controllerOf(claim)?.kind === 'DataVolume';
}
