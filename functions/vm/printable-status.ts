import { conditionOf, isConditionStatus } from '../core/conditions.ts';
import type { DataVolume, PersistentVolumeClaim, VirtualMachine, VirtualMachineInstance } from '../core/objects.ts';
import { hasDataVolumeFailed, isDataVolumeFilling } from './data-volumes/readiness.ts';
import { isBeingDeleted, isFinal, isMigrating } from './instance-state.ts';
import type { EffectiveRunStrategy } from './run-strategy/effective.ts';
import { isSetToStart } from './set-to-start.ts';
import { countsStartFailures } from './start-failure.ts';
import { claimNameOf, templateVolumes } from './template-volumes.ts';

export interface PrintableInputs {
  /** With the status of this pass, as far as it is computed before the printable one. */
  readonly vm: VirtualMachine;
  readonly instance: VirtualMachineInstance | undefined;
  readonly strategy: EffectiveRunStrategy;
  readonly claims: readonly PersistentVolumeClaim[];
  readonly dataVolumes: readonly DataVolume[];
  readonly startExpected: boolean;
  readonly stopExpected: boolean;
  readonly nowMs: number;
}

const BEFORE_RUNNING = new Set(['', 'Pending', 'Scheduling', 'Scheduled']);

/** `printableStatus`: the first rule that holds gives it (vm.md 12.5; the numbers are the table's). */
const rules: readonly (readonly [status: string, holds: (inputs: PrintableInputs) => boolean])[] = [
  ['Terminating', ({ vm }) => vm.metadata.deletionTimestamp !== undefined], // 1
  ['Stopping', isStopping], // 2
  ['Migrating', ({ instance, nowMs }) => instance !== undefined && isMigrating(instance, nowMs)], // 3
  ['Paused', ({ instance }) => isRunning(instance) && isConditionStatus(instance?.status?.conditions, 'Paused')], // 4
  ['Running', ({ instance }) => isRunning(instance)], // 5
  ['ErrorPvcNotFound', ({ instance }) => isFalseFor(instance, 'Synchronized', 'FailedPvcNotFound')], // 6
  ['DataVolumeError', ({ vm, dataVolumes }) => dataVolumesOf(vm, dataVolumes).some(hasDataVolumeFailed)], // 7
  ['ErrorUnschedulable', ({ instance }) => isFalseFor(instance, 'PodScheduled', 'Unschedulable')], // 8
  ['Provisioning', ({ vm, dataVolumes }) => dataVolumesOf(vm, dataVolumes).some(isDataVolumeFilling)], // 9
  ['WaitingForVolumeBinding', isWaitingForBinding], // 10
  ['ErrImagePull', ({ instance }) => isFalseFor(instance, 'Synchronized', 'ErrImagePull')], // 11
  ['ImagePullBackOff', ({ instance }) => isFalseFor(instance, 'Synchronized', 'ImagePullBackOff')], // 12
  ['Starting', isStarting], // 13
  ['CrashLoopBackOff', isCrashLooping], // 14
  ['Stopped', ({ instance, startExpected }) => (instance === undefined ? !startExpected : isFinal(instance))], // 15
  ['WaitingForReceiver', isWaitingForReceiver], // 16
];

export function printableStatus(inputs: PrintableInputs): string {
  return rules.find(([, holds]) => holds(inputs))?.[0] ?? 'Unknown';
}

function isStopping({ instance, stopExpected }: PrintableInputs): boolean {
  return instance !== undefined && !isFinal(instance) && (isBeingDeleted(instance) || stopExpected);
}

function isRunning(instance: VirtualMachineInstance | undefined): boolean {
  return instance?.status?.phase === 'Running';
}

function isFalseFor(instance: VirtualMachineInstance | undefined, type: string, reason: string): boolean {
  const found = conditionOf(instance?.status?.conditions, type);
  return found?.status === 'False' && found.reason === reason;
}

/** The data volumes that the template's volumes name. */
function dataVolumesOf(vm: VirtualMachine, dataVolumes: readonly DataVolume[]): readonly DataVolume[] {
  const named = new Set(templateVolumes(vm).map((volume) => volume.dataVolume?.name));
  return dataVolumes.filter((d) => named.has(d.metadata.name));
}

function isWaitingForBinding({ vm, instance, strategy, claims }: PrintableInputs): boolean {
  if (!isSetToStart(vm, instance, strategy)) return false;
  const unbound = new Set(claims.filter((c) => c.status?.phase !== 'Bound').map((c) => c.metadata.name));
  return templateVolumes(vm).some((volume) => unbound.has(claimNameOf(volume) ?? ''));
}

function isStarting({ instance, startExpected }: PrintableInputs): boolean {
  return instance === undefined ? startExpected : BEFORE_RUNNING.has(instance.status?.phase ?? '');
}

function isWaitingForReceiver({ instance, strategy }: PrintableInputs): boolean {
  if (strategy.type !== 'strategy' || strategy.name !== 'WaitAsReceiver') return false;
  return instance === undefined || instance.status?.phase === 'WaitingForSync';
}

function isCrashLooping({ vm, instance, strategy, startExpected }: PrintableInputs): boolean {
  if (instance !== undefined && !isFinal(instance)) return false;
  const failures = vm.status?.startFailure?.consecutiveFailCount ?? 0;
  return !startExpected && failures > 0 && strategy.type === 'strategy' && countsStartFailures(strategy);
}
