import { identityOf } from '../../core/identity.ts';
import type { PersistentVolumeClaim } from '../../core/objects.ts';
import { isPreallocationMark } from './claim-info.ts';

/**
 * What of a claim brings its VMIs back. Its phase is left out on purpose: a claim that is bound enqueues no VMI, one whose
 * capacity or request changes does (vmi.md 2.2).
 */
export function claimProjection(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const identity = identityOf(claim);
  const { ownerReferences, annotations } = claim.metadata;
  const marks = Object.entries(annotations ?? {}).filter(([key]) => isPreallocationMark(key));
  const { accessModes, volumeMode, storageClassName, resources } = claim.spec;
  const capacity = claim.status?.capacity;
  return {
    ...identity,
    metadata: {
      ...identity.metadata,
      ownerReferences,
      ...(marks.length === 0 ? {} : { annotations: Object.fromEntries(marks) }),
    },
    spec: { accessModes, volumeMode, storageClassName, resources },
    ...(capacity === undefined ? {} : { status: { capacity } }),
  };
}

/** The claim's phase, for those who come by anyhow. */
export function claimPhaseProjection(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const phase = claim.status?.phase;
  return { ...identityOf(claim), spec: {}, ...(phase === undefined ? {} : { status: { phase } }) };
}
