/**
 * Lists of conditions of VMs, VMIs and pods: the shared rules of vmi.md 3.4, vm.md 3.3 and runtime.md 11.
 *
 * All functions are pure. A list that needs no change is returned itself, so that callers may compare by identity.
 */
import type { Condition } from './objects.ts';

export type Conditions = readonly Condition[] | undefined;

/** The first condition of a type. */
export function conditionOf(list: Conditions, type: string): Condition | undefined {
  return list?.find((c) => c.type === type);
}

export function hasCondition(list: Conditions, type: string): boolean {
  return conditionOf(list, type) !== undefined;
}

/** Whether there is a condition of the type with that status (`True` unless told). */
export function isConditionStatus(list: Conditions, type: string, status = 'True'): boolean {
  return conditionOf(list, type)?.status === status;
}

/** A condition as it is written: empty reason and message are absent, times that are not set are `null` (vmi.md 3.4). */
export function newCondition(condition: Condition): Condition {
  const { type, status, reason, message, lastProbeTime, lastTransitionTime } = condition;
  return {
    type,
    status,
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(message === undefined || message === '' ? {} : { message }),
    lastProbeTime: lastProbeTime ?? null,
    lastTransitionTime: lastTransitionTime ?? null,
  };
}

/**
 * Appends the condition, or replaces the one of its type in place, as a whole, if status or reason differ. Equal status and
 * reason leave the old one untouched, message and times too.
 */
export function updateCondition(list: Conditions, condition: Condition): Condition[] {
  const at = list?.findIndex((c) => c.type === condition.type) ?? -1;
  const old = list?.[at];
  if (list === undefined || old === undefined) return [...(list ?? []), newCondition(condition)];
  if (sameState(old, condition)) return list as Condition[];
  return list.with(at, newCondition(condition));
}

/** Appends the condition unless there is one of its type already (vmi.md 3.4, "add pod condition"). */
export function addCondition(list: Conditions, condition: Condition): Condition[] {
  return hasCondition(list, condition.type) ? (list as Condition[]) : [...(list ?? []), newCondition(condition)];
}

/** Drops all conditions of a type; the others keep their order. The last one's removal makes the list absent. */
export function removeCondition(list: Conditions, type: string): Condition[] | undefined {
  if (!hasCondition(list, type)) return list as Condition[] | undefined;
  const rest = list?.filter((c) => c.type !== type) ?? [];
  return rest.length === 0 ? undefined : rest;
}

/**
 * Whether two lists say the same: as many entries, and for each of `a` the first of its type in `b` has the same status and
 * reason. Order, messages and times do not count.
 */
export function conditionsEqual(a: Conditions, b: Conditions): boolean {
  if ((a?.length ?? 0) !== (b?.length ?? 0)) return false;
  return (a ?? []).every((c) => {
    const other = conditionOf(b, c.type);
    return other !== undefined && sameState(c, other);
  });
}

function sameState(a: Condition, b: Condition): boolean {
  return a.status === b.status && (a.reason ?? '') === (b.reason ?? '');
}
