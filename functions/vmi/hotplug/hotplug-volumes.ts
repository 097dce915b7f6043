/** Volumes that reach the guest while it runs, through attachment pods (vmi.md 7.1). */
import type { Pod, VirtualMachineInstance } from '../../core/objects.ts';
import type { Volume } from '../vmi-types.ts';
import { claimNameOf } from '../volumes/volume-claims.ts';

/** Those with a claim that the launcher pod does not mount; utility volumes come last, in the shape of claim volumes. */
export function hotplugVolumesOf(vmi: VirtualMachineInstance, launcher: Pod): readonly Volume[] {
  const mounted = new Set(launcher.spec.volumes?.map((v) => v.name));
  const volumes = (vmi.spec.volumes ?? []).filter((v) => claimNameOf(v) !== undefined);
  return [...volumes, ...utilityVolumesOf(vmi)].filter((v) => !mounted.has(v.name));
}

/** Volumes that serve the launcher, not the guest. */
export function utilityVolumesOf(vmi: VirtualMachineInstance): readonly Volume[] {
  return (vmi.spec.utilityVolumes ?? []).map(({ name, ...claim }) => ({
    name,
    persistentVolumeClaim: { ...claim, hotpluggable: true },
  }));
}

export function isUtilityVolume(vmi: VirtualMachineInstance, name: string): boolean {
  return vmi.spec.utilityVolumes?.some((v) => v.name === name) === true;
}
