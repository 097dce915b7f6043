import type {
  V1PersistentVolumeClaimInfo,
  V1StorageMigratedVolumeInfo,
  V1Volume,
} from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../core/objects.ts';
import { claimNameOf } from '../template-volumes.ts';

type Claims = readonly PersistentVolumeClaim[];

/** From where to where each updated volume goes (vm.md 7.5, step 5). */
export function migratedVolumes(
  updated: ReadonlyMap<string, V1Volume>,
  instance: VirtualMachineInstance,
  claims: Claims,
): V1StorageMigratedVolumeInfo[] {
  const running = new Map((instance.spec.volumes ?? []).map((v) => [v.name, claimNameOf(v) ?? '']));
  return [...updated].map(([volumeName, volume]) => ({
    volumeName,
    sourcePVCInfo: claimInfo(running.get(volumeName) ?? '', claims),
    destinationPVCInfo: claimInfo(claimNameOf(volume) ?? '', claims),
  }));
}

/** What a receiving VMI gets to know of its volumes: where they are here, and where they were at the sender (vm.md 7.6). */
export function receivedVolumes(
  template: readonly V1Volume[] | undefined,
  instance: VirtualMachineInstance,
  claims: Claims,
): V1StorageMigratedVolumeInfo[] {
  return (template ?? []).flatMap((volume) => {
    const name = claimNameOf(volume);
    if (name === undefined || !claims.some((c) => c.metadata.name === name)) return [];
    const sourcePVCInfo = instance.status?.migratedVolumes?.find((m) => m.volumeName === volume.name)?.sourcePVCInfo;
    const destinationPVCInfo = claimInfo(name, claims);
    return [{ volumeName: volume.name, ...(sourcePVCInfo && { sourcePVCInfo }), destinationPVCInfo }];
  });
}

function claimInfo(claimName: string, claims: Claims): V1PersistentVolumeClaimInfo {
  const claim = claims.find((c) => c.metadata.name === claimName);
  if (claim === undefined) return { claimName };
  const { volumeMode, accessModes, resources } = claim.spec;
  const info = { claimName, volumeMode, accessModes, requests: resources?.requests, capacity: claim.status?.capacity };
  return info as V1PersistentVolumeClaimInfo;
}
