import { conditionOf, isConditionStatus, removeCondition, updateCondition } from '../../core/conditions.ts';
import { timestamp } from '../../core/context.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../../core/objects.ts';
import { isFinal } from '../instance-state.ts';
import { condition } from '../names.ts';
import { claimNameOf, templateVolumes } from '../template-volumes.ts';
import { VOLUMES_CHANGE_CANCELLATION } from './cancel.ts';

type Status = NonNullable<VirtualMachine['status']>;
type Changed = Pick<Status, 'volumeUpdateState' | 'conditions'>;

/** What becomes of a migration of volumes in the VM's status (vm.md 12.7). Its conditions are those of earlier passes. */
export function nextVolumeMigration(
  vm: VirtualMachine,
  instance: VirtualMachineInstance | undefined,
  nowMs: number,
): Changed {
  const { volumeUpdateState, conditions } = vm.status ?? {};
  const unchanged: Changed = { volumeUpdateState, conditions };
  if (volumeUpdateState?.volumeMigrationState === undefined) return unchanged;
  const { volumeMigrationState: _, ...ended } = volumeUpdateState;

  if (isOver(vm)) {
    const left = removeCondition(conditions, condition.volumesChange);
    return { volumeUpdateState: ended, conditions: removeCondition(left, condition.manualRecoveryRequired) };
  }
  if (instance === undefined || isFinal(instance)) {
    if (!isInterrupted(vm)) return unchanged;
    const interrupted = updateCondition(conditions, {
      type: condition.manualRecoveryRequired,
      status: 'True',
      reason: 'VMI was removed or was final during the volume migration',
      lastTransitionTime: timestamp(nowMs),
    });
    return { volumeUpdateState, conditions: interrupted };
  }
  const change = conditionOf(instance.status?.conditions, condition.volumesChange);
  const isCancelled = change?.status === 'False' && change.reason === VOLUMES_CHANGE_CANCELLATION;
  return isCancelled ? { volumeUpdateState: ended, conditions } : unchanged;
}

/**
 * Whether a VMI that is not there, or runs no more, went while its volumes moved: which of their copies is the good one, only a
 * human can tell. The original knows this only when it has started the VM again; here it is looked at before a start, too.
 */
export function isInterrupted(vm: VirtualMachine): boolean {
  const isUnderWay = vm.status?.volumeUpdateState?.volumeMigrationState !== undefined;
  return isUnderWay && !isOver(vm) && isConditionStatus(vm.status?.conditions, condition.volumesChange);
}

function isOver(vm: VirtualMachine): boolean {
  return isRecovered(vm) || vm.spec.updateVolumesStrategy !== 'Migration';
}

/** Every volume that was to move is on its source. */
function isRecovered(vm: VirtualMachine): boolean {
  const sources = new Map(
    (vm.status?.volumeUpdateState?.volumeMigrationState?.migratedVolumes ?? []).flatMap((m) =>
      m.sourcePVCInfo === undefined ? [] : [[m.volumeName, m.sourcePVCInfo.claimName]],
    ),
  );
  return templateVolumes(vm).every((v) => !sources.has(v.name) || sources.get(v.name) === claimNameOf(v));
}
