import type { PersistentVolumeClaim } from '../../core/objects.ts';
import { isPreallocationMark } from './claim-info.ts';

/**
 * What of a claim brings its VMIs back. Its phase is left out on purpose: a claim that is bound enqueues no VMI, one whose
 * capacity or request changes does (vmi.md 2.2).
 */
export function claimProjection(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const { name, namespace, uid, resourceVersion, ownerReferences, annotations } = claim.metadata;
  const marks = Object.entries(annotations ?? {}).filter(([key]) => isPreallocationMark(key));
  const { accessModes, volumeMode, storageClassName, resources } = claim.spec;
  const capacity = claim.status?.capacity;
  return {
    apiVersion: claim.apiVersion,
    kind: claim.kind,
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      ownerReferences,
      ...(marks.length === 0 ? {} : { annotations: Object.fromEntries(marks) }),
    },
    spec: { accessModes, volumeMode, storageClassName, resources },
    ...(capacity === undefined ? {} : { status: { capacity } }),
  };
}

/** The claim's phase, for those who come by anyhow. */
export function claimPhaseProjection({
  apiVersion,
  kind,
  metadata,
  status,
}: PersistentVolumeClaim): PersistentVolumeClaim {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion },
    spec: {},
    ...(status?.phase === undefined ? {} : { status: { phase: status.phase } }),
  };
}
