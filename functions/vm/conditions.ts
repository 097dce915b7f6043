import { conditionOf, hasCondition, removeCondition, updateCondition } from '../core/conditions.ts';
import { timestamp } from '../core/context.ts';
import type { Condition, VirtualMachineInstance } from '../core/objects.ts';
import { condition } from './names.ts';
import type { SyncError } from './step.ts';

/** Types that the VM has on its own account, never taken over from the VMI (vm.md 13, step 4). */
const OWN: ReadonlySet<string> = new Set([condition.ready, condition.failure, condition.restartRequired]);

export interface ConditionInputs {
  readonly instance: VirtualMachineInstance | undefined;
  readonly error: SyncError | undefined;
  readonly nowMs: number;
}

/** The VM's conditions after this pass (vm.md 13). Without a VMI those taken over earlier stay. */
export function nextConditions(old: Condition[] | undefined, inputs: ConditionInputs): Condition[] | undefined {
  const { instance, error, nowMs } = inputs;
  const ready = updateCondition(old, readyCondition(instance, nowMs));
  const conditions = error === undefined ? removeCondition(ready, condition.failure) : withFailure(ready, error, nowMs);
  return instance === undefined ? conditions : takenOver(conditions, instance);
}

function readyCondition(instance: VirtualMachineInstance | undefined, nowMs: number): Condition {
  const own = { type: condition.ready, status: 'False', lastTransitionTime: timestamp(nowMs) };
  if (instance === undefined)
    return { ...own, reason: 'VMINotExists', message: 'There is no virtual machine instance' };
  const ready = conditionOf(instance.status?.conditions, condition.ready);
  if (ready !== undefined) return ready;
  return { ...own, reason: 'VMIConditionMissing', message: 'The virtual machine instance does not say if it is ready' };
}

function withFailure(list: Condition[], error: SyncError, nowMs: number): Condition[] {
  const { reason, message } = error;
  const lastTransitionTime = timestamp(nowMs);
  return updateCondition(list, { type: condition.failure, status: 'True', reason, message, lastTransitionTime });
}

function takenOver(list: Condition[] | undefined, instance: VirtualMachineInstance): Condition[] | undefined {
  const theirs = instance.status?.conditions ?? [];
  const merged = theirs.filter((c) => !OWN.has(c.type)).reduce<Condition[] | undefined>(updateCondition, list);
  return merged?.filter((c) => OWN.has(c.type) || hasCondition(theirs, c.type));
}
