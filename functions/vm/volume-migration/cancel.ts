import type { V1Volume } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { updateCondition } from '../../core/conditions.ts';
import { timestamp } from '../../core/context.ts';
import { testAndRemove, testAndReplace } from '../../core/json-patch.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { patchInstance, withStatus } from '../instance-patch.ts';
import { condition } from '../names.ts';
import type { Pass } from '../pass.ts';
import { next, type Step } from '../step.ts';
import { claimNameOf } from '../template-volumes.ts';
import { refuseUpdate } from './refuse.ts';
import { switchVolumes } from './tell-instance.ts';

/** Reason of the VMI's condition `VolumesChange` when its volumes were set back. */
export const VOLUMES_CHANGE_CANCELLATION = 'VolumesChangeCancellation';

/** Step 1: back to the sources, all of them and nothing else, ends a migration that is under way. */
export function cancelMigration(
  pass: Pass,
  instance: VirtualMachineInstance,
  updated: ReadonlyMap<string, V1Volume>,
): Step {
  const migrated = instance.status?.migratedVolumes ?? [];
  const isBack = migrated.every(({ volumeName, sourcePVCInfo }) => {
    const volume = updated.get(volumeName);
    return volume !== undefined && sourcePVCInfo !== undefined && claimNameOf(volume) === sourcePVCInfo.claimName;
  });
  if (!isBack || updated.size !== migrated.length)
    return refuseUpdate('during a migration volumes can only be set back');

  const switched = switchVolumes(pass, instance, instance);
  if (switched !== undefined) return refuseUpdate(switched.message);
  const conditions = updateCondition(instance.status?.conditions, {
    type: condition.volumesChange,
    status: 'False',
    reason: VOLUMES_CHANGE_CANCELLATION,
    lastTransitionTime: timestamp(pass.context.nowMs),
  });
  const operations = [
    ...testAndReplace('/status/conditions', instance.status?.conditions, conditions),
    // Where the original writes null, which the API server may refuse for a list.
    ...testAndRemove('/status/migratedVolumes', instance.status?.migratedVolumes),
  ];
  const becomes = withStatus(pass.instance ?? instance, { conditions, migratedVolumes: undefined });
  const failure = patchInstance(pass, 'vmi-cancel-volumes', operations, becomes);
  return failure === undefined ? next : refuseUpdate(failure.message);
}
