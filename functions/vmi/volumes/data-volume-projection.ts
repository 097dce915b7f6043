import { conditionOf } from '../../core/conditions.ts';
import { identityOf } from '../../core/identity.ts';
import type { DataVolume } from '../../core/objects.ts';

/** What this controller sees of a DataVolume: its phase and whether it is ready. The progress of an import enqueues nothing. */
export function dataVolumeProjection(dataVolume: DataVolume): DataVolume {
  const { status } = dataVolume;
  const ready = conditionOf(status?.conditions, 'Ready');
  return {
    ...identityOf(dataVolume),
    status: {
      ...(status?.phase === undefined ? {} : { phase: status.phase }),
      ...(ready === undefined ? {} : { conditions: [{ type: ready.type, status: ready.status }] }),
    },
  };
}
