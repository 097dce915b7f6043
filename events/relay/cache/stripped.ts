import type { Kind } from '../../../functions/core/kind.ts';
import type { KubeObject, ObjectMeta } from '../../../functions/core/objects.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Kinds that no controller writes whole: only from these may `kubectl apply`'s annotation be dropped. */
const neverWrittenWhole = new Set(['Pod', 'Node', 'PersistentVolumeClaim', 'Namespace', 'ResourceQuota']);

function isNeverWrittenWhole(kind: Kind): boolean {
  return kind.metadataOnly === true || neverWrittenWhole.has(kind.kind);
}

/** An object without what no controller reads. List items carry neither apiVersion nor kind; they get them here. */
export function stripped(kind: Kind, object: KubeObject): KubeObject {
  const metadata: ObjectMeta & { managedFields?: unknown } = { ...object.metadata };
  delete metadata.managedFields;
  if (isNeverWrittenWhole(kind) && metadata.annotations?.[LAST_APPLIED] !== undefined) {
    const { [LAST_APPLIED]: _, ...annotations } = metadata.annotations;
    metadata.annotations = annotations;
  }
  return { ...object, apiVersion: kind.apiVersion, kind: kind.kind, metadata };
}
