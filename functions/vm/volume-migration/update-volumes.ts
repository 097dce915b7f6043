import type { V1Volume } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { isConditionStatus, removeCondition, updateCondition } from '../../core/conditions.ts';
import { timestamp } from '../../core/context.ts';
import { testAndReplace } from '../../core/json-patch.ts';
import type { Condition, VirtualMachineInstance } from '../../core/objects.ts';
import { semanticallyEqual } from '../../core/semantic-equal.ts';
import { editedTemplate, editStatus } from '../edit-copy.ts';
import { patchInstance, withSpec, withStatus } from '../instance-patch.ts';
import { condition } from '../names.ts';
import type { Failure, Pass } from '../pass.ts';
import { requireRestart } from '../restart-required.ts';
import { next, type Step, syncError } from '../step.ts';
import { claimNameOf } from '../template-volumes.ts';
import { migratedVolumes, receivedVolumes } from './migrated-volumes.ts';
import { updatedVolumes } from './updated-volumes.ts';
import { validateVolumes } from './validate-volumes.ts';

type Updated = ReadonlyMap<string, V1Volume>;

/** Claims of a running VMI's volumes: they change by a migration of the volumes, if the VM wants that (vm.md 7.5, 7.6). */
export function updateVolumes(pass: Pass): Step {
  const { instance, vm } = pass;
  if (instance === undefined) return next;
  if (vm.spec.runStrategy === 'WaitAsReceiver') return tellReceived(pass, instance);

  const updated = updatedVolumes(editedTemplate(pass).volumes, instance.spec.volumes);
  const isUnderWay = isConditionStatus(instance.status?.conditions, condition.volumesChange);
  const isTouched = instance.status?.migratedVolumes?.some((m) => updated.has(m.volumeName)) === true;
  if (isUnderWay && isTouched) return cancel(pass, instance, updated);

  switch (vm.spec.updateVolumesStrategy ?? '') {
    case '':
    case 'Replacement':
      return next;
    case 'Migration':
      return updated.size === 0 ? next : migrate(pass, instance, updated);
    default:
      return refuse(`unknown strategy ${vm.spec.updateVolumesStrategy}`);
  }
}

/** Step 1: back to the sources, all of them and nothing else, ends a migration that is under way. */
function cancel(pass: Pass, instance: VirtualMachineInstance, updated: Updated): Step {
  const migrated = instance.status?.migratedVolumes ?? [];
  const isBack = migrated.every(({ volumeName, sourcePVCInfo }) => {
    const volume = updated.get(volumeName);
    return volume !== undefined && sourcePVCInfo !== undefined && claimNameOf(volume) === sourcePVCInfo.claimName;
  });
  if (!isBack || updated.size !== migrated.length) return refuse('during a migration volumes can only be set back');

  const switched = switchVolumes(pass, instance, instance);
  if (switched !== undefined) return refuse(switched.message);
  const conditions = updateCondition(instance.status?.conditions, {
    type: condition.volumesChange,
    status: 'False',
    reason: VOLUMES_CHANGE_CANCELLATION,
    lastTransitionTime: timestamp(pass.context.nowMs),
  });
  const operations = [
    ...testAndReplace('/status/conditions', instance.status?.conditions, conditions),
    ...testAndReplace('/status/migratedVolumes', instance.status?.migratedVolumes, null),
  ];
  const becomes = withStatus(pass.instance ?? instance, { conditions, migratedVolumes: [] });
  const failure = patchInstance(pass, 'vmi-cancel-volumes', operations, becomes);
  return failure === undefined ? next : refuse(failure.message);
}

/** Reason of the VMI's condition `VolumesChange` when its volumes were set back. */
export const VOLUMES_CHANGE_CANCELLATION = 'VolumesChangeCancellation';

/** Steps 4 to 7: first the VMI is told which volumes move, and once it shows that, they are switched. */
function migrate(pass: Pass, instance: VirtualMachineInstance, updated: Updated): Step {
  const validity = validateVolumes(updated.values(), instance, pass.reads);
  switch (validity.type) {
    case 'not-found': {
      const { message } = validity;
      const lastTransitionTime = timestamp(pass.context.nowMs);
      const missing = { type: condition.volumesChange, status: 'False', message, lastTransitionTime };
      return setConditions(pass, instance, updateCondition(instance.status?.conditions, missing));
    }
    case 'invalid':
      requireRestart(pass, validity.message);
      return next;
    case 'valid':
      break;
  }
  const ready = setConditions(pass, instance, removeCondition(instance.status?.conditions, condition.volumesChange));
  if (ready.type !== 'next') return ready;

  const list = migratedVolumes(updated, instance, pass.reads.claims);
  const obstacle = obstacleTo(updated, instance);
  if (obstacle !== undefined) {
    requireRestart(pass, obstacle);
    return next;
  }
  const told = tell(pass, pass.instance ?? instance, list) ?? switchVolumes(pass, pass.instance ?? instance, instance);
  if (told !== undefined) return refuse(told.message);
  if (list.length > 0) {
    const { status } = pass.editCopy;
    const volumeMigrationState = { ...status?.volumeUpdateState?.volumeMigrationState, migratedVolumes: list };
    editStatus(pass, { ...status, volumeUpdateState: { ...status?.volumeUpdateState, volumeMigrationState } });
  }
  return next;
}

const BACKEND_STORAGE = 'persistent-state-for';
const SHARED = new Set<string>(['ReadWriteMany', 'ReadOnlyMany']);

/** What else of the VMI's storage would not come along. */
function obstacleTo(updated: Updated, { status }: VirtualMachineInstance): string | undefined {
  if (isConditionStatus(status?.conditions, 'StorageLiveMigratable', 'False')) return 'storage is not live migratable';
  const left = status?.volumeStatus?.find(
    ({ name, persistentVolumeClaimInfo: info }) =>
      info !== undefined &&
      !name.startsWith(BACKEND_STORAGE) &&
      !updated.has(name) &&
      !info.accessModes?.some((mode) => SHARED.has(mode)),
  );
  return left === undefined ? undefined : `volume ${left.name} is not shared, and is not to be migrated`;
}

function tell(
  pass: Pass,
  instance: VirtualMachineInstance,
  list: NonNullable<NonNullable<VirtualMachineInstance['status']>['migratedVolumes']>,
): Failure | undefined {
  const old = instance.status?.migratedVolumes;
  if ((old?.length ?? 0) > 0 || list.length === 0) return undefined;
  const operations = testAndReplace('/status/migratedVolumes', old, list);
  return patchInstance(pass, 'vmi-migrated-volumes', operations, withStatus(instance, { migratedVolumes: list }));
}

/**
 * Step 6: the volumes that the VMI has been told of, and shows, are replaced by the template's. `seen`: the VMI without what
 * this pass has told it.
 */
function switchVolumes(
  pass: Pass,
  instance: VirtualMachineInstance,
  seen: VirtualMachineInstance,
): Failure | undefined {
  const told = new Set(seen.status?.migratedVolumes?.map((m) => m.volumeName));
  const wanted = new Map((editedTemplate(pass).volumes ?? []).map((v) => [v.name, v]));
  const old = instance.spec.volumes;
  const volumes = (old ?? []).map((v) => (told.has(v.name) ? (wanted.get(v.name) ?? v) : v));
  if (semanticallyEqual(old, volumes, '[]Volume')) return undefined;
  const operations = testAndReplace('/spec/volumes', old, volumes);
  return patchInstance(pass, 'vmi-switch-volumes', operations, withSpec(instance, { volumes }));
}

function setConditions(pass: Pass, instance: VirtualMachineInstance, conditions: Condition[] | undefined): Step {
  const old = instance.status?.conditions;
  if (conditions === old) return next;
  const operations = testAndReplace('/status/conditions', old, conditions ?? []);
  const failure = patchInstance(pass, 'vmi-volumes-change', operations, withStatus(instance, { conditions }));
  return failure === undefined ? next : refuse(failure.message);
}

/** vm.md 7.6. */
function tellReceived(pass: Pass, instance: VirtualMachineInstance): Step {
  if (instance.status?.migrationState?.completed === true) return next;
  const list = receivedVolumes(editedTemplate(pass).volumes, instance, pass.reads.claims);
  const failure = tell(pass, instance, list);
  return failure === undefined ? next : refuse(failure.message);
}

function refuse(cause: string): Step {
  return syncError('VolumesUpdateError', `Updating volumes: ${cause}`);
}
