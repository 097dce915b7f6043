/** Which volumes of a VMI stand on which claims (vmi.md 5.2). */
import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../core/objects.ts';
import { controllerOf } from '../../core/owner.ts';
import type { Volume } from '../vmi-types.ts';

/** The claim of a volume that is attached to the guest as it is: DataVolume, claim or memory dump. */
export function claimNameOf(volume: Volume): string | undefined {
  return volume.dataVolume?.name ?? volume.persistentVolumeClaim?.claimName ?? volume.memoryDump?.claimName;
}

/** All claims of the spec's volumes, `ephemeral` ones included; each once. */
export function claimNamesOf(vmi: VirtualMachineInstance): readonly string[] {
  const names = (vmi.spec.volumes ?? []).flatMap((volume) => {
    const name = claimNameOf(volume) ?? volume.ephemeral?.persistentVolumeClaim?.claimName;
    return name === undefined || name === '' ? [] : [name];
  });
  return [...new Set(names)];
}

export function isHotpluggable(volume: Volume): boolean {
  const { dataVolume, persistentVolumeClaim, memoryDump } = volume;
  return [dataVolume, persistentVolumeClaim, memoryDump].some((source) => source?.hotpluggable === true);
}

/** A DataVolume or claim that the launcher pod mounts from its start. */
export function isRegularClaimVolume(volume: Volume): boolean {
  return (volume.dataVolume !== undefined || volume.persistentVolumeClaim !== undefined) && !isHotpluggable(volume);
}

export function claimNamed(claims: readonly PersistentVolumeClaim[], name: string): PersistentVolumeClaim | undefined {
  return claims.find((c) => c.metadata.name === name);
}

export function isOwnedByDataVolume(claim: PersistentVolumeClaim): boolean {
  return controllerOf(claim)?.kind === 'DataVolume';
}
