import { conditionOf } from '../../core/conditions.ts';
import type { DataVolume } from '../../core/objects.ts';

/** What this controller sees of a DataVolume: its phase and whether it is ready. The progress of an import enqueues nothing. */
export function dataVolumeProjection({ apiVersion, kind, metadata, status }: DataVolume): DataVolume {
  const { name, namespace, uid, resourceVersion } = metadata;
  const ready = conditionOf(status?.conditions, 'Ready');
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion },
    status: {
      ...(status?.phase === undefined ? {} : { phase: status.phase }),
      ...(ready === undefined ? {} : { conditions: [{ type: ready.type, status: ready.status }] }),
    },
  };
}
