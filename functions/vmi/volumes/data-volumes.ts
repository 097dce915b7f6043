/** The DataVolumes that stand behind a VMI's volumes (vmi.md 5.1). */
import type { DataVolume } from '../../core/objects.ts';
import { controllerOf } from '../../core/owner.ts';
import type { Pass } from '../pass.ts';
import type { Volume } from '../vmi-types.ts';
import { claimNamed, isOwnedByDataVolume } from './volume-claims.ts';

/** In the order of the volumes, hotpluggable ones included; what several volumes name comes several times. */
export function dataVolumesOf(pass: Pass): readonly DataVolume[] {
  return (pass.vmi.spec.volumes ?? []).flatMap((volume) => {
    const name = dataVolumeNameOf(pass, volume);
    return name === undefined ? [] : (dataVolumeNamed(pass, name) ?? []);
  });
}

export function dataVolumeNamed({ reads }: Pass, name: string): DataVolume | undefined {
  return reads.dataVolumes.find((d) => d.metadata.name === name);
}

export function hasFailed(dataVolumes: readonly DataVolume[]): boolean {
  return dataVolumes.some((d) => d.status?.phase === 'Failed');
}

/** Whether a DataVolume waits for a pod that mounts its claim. One that has failed outweighs it. */
export function awaitsConsumer(dataVolumes: readonly DataVolume[]): boolean {
  return !hasFailed(dataVolumes) && dataVolumes.some((d) => d.status?.phase === 'WaitForFirstConsumer');
}

function dataVolumeNameOf({ reads }: Pass, { persistentVolumeClaim, dataVolume }: Volume): string | undefined {
  const claim = persistentVolumeClaim && claimNamed(reads.claims, persistentVolumeClaim.claimName);
  return claim !== undefined && isOwnedByDataVolume(claim) ? controllerOf(claim)?.name : dataVolume?.name;
}
