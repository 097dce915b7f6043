import type { PersistentVolumeClaim } from '../../core/objects.ts';
import type { ClaimInfo } from '../vmi-types.ts';

/** What a volume's status says of its claim (vmi.md 9.7). */
export function claimInfo(claim: PersistentVolumeClaim, filesystemOverhead: string): ClaimInfo {
  const { accessModes, volumeMode, resources } = claim.spec;
  return {
    claimName: claim.metadata.name,
    ...(accessModes === undefined ? {} : { accessModes: accessModes as ClaimInfo['accessModes'] }),
    ...(volumeMode === undefined ? {} : { volumeMode: volumeMode as ClaimInfo['volumeMode'] }),
    ...(claim.status?.capacity === undefined ? {} : { capacity: claim.status.capacity }),
    ...(resources?.requests === undefined ? {} : { requests: resources.requests }),
    ...(isPreallocated(claim) ? { preallocated: true } : {}),
    ...(filesystemOverhead === '' ? {} : { filesystemOverhead }),
  };
}

function isPreallocated(claim: PersistentVolumeClaim): boolean {
  return Object.entries(claim.metadata.annotations ?? {}).some(
    ([key, value]) => isPreallocationMark(key) && value === 'true',
  );
}

/** Whether an annotation of that key says that a claim's storage was allocated beforehand. */
export function isPreallocationMark(annotationKey: string): boolean {
  return annotationKey.includes('/storage.preallocation') || annotationKey.includes('/storage.thick-provisioned');
}
