import { conditionOf, hasCondition, removeCondition, updateCondition } from '../core/conditions.ts';
import { timestamp } from '../core/context.ts';
import type { Condition, VirtualMachine } from '../core/objects.ts';
import { semanticallyEqual } from '../core/semantic-equal.ts';
import { appliedStartSpec, appliedTemplateSpec } from './instancetype/applied-template.ts';
import { withoutLiveUpdatable } from './live-updatable.ts';
import { condition } from './names.ts';
import type { Pass } from './pass.ts';
import { next, type Step } from './step.ts';

/** KubeVirt's rollout strategy: whether changes of a running VM are carried over to its VMI (vm.md 7). */
export function isLiveUpdate({ context }: Pass): boolean {
  return (context.configuration.kubevirt.vmRolloutStrategy ?? 'LiveUpdate') === 'LiveUpdate';
}

/**
 * Condition `RestartRequired` (vm.md 11.2): the template differs from the one of the last start, in something that the
 * running VMI cannot take over. Without a VMI, or a revision of its start, or where instance type and preference can't be
 * applied, the condition stays as it is.
 */
export function computeRestartRequired(pass: Pass): Step {
  const { instance, startSpec, vm } = pass;
  if (instance === undefined || startSpec === undefined) return next;
  const current = appliedTemplateSpec(vm, pass.profile);
  const started = appliedStartSpec(pass, startSpec);
  if (current === undefined || started === undefined) return next;
  const comparable = withoutLiveUpdatable(started, {
    current,
    instance,
    isLiveUpdate: isLiveUpdate(pass),
    mayMigrateVolumes: vm.spec.updateVolumesStrategy === 'Migration',
  });
  pass.restartRequired = !semanticallyEqual(current, comparable, 'VirtualMachineInstanceSpec');
  pass.vm = pass.restartRequired
    ? withRestartRequired(
        pass,
        vm,
        'the template was changed in parts that a running virtual machine does not take over',
      )
    : withoutRestartRequired(vm);
  return next;
}

/** A live update that can't be done asks for a restart on the edit copy (vm.md 7). */
export function requireRestart(pass: Pass, message: string): void {
  pass.editCopy = withRestartRequired(pass, pass.editCopy, message);
}

/**
 * The comparison above takes the condition away in every pass in which only a live update objects. What was there before then
 * comes back as it was, or each pass would bring the next one (vm.md 11.2, "Hazard").
 */
function withRestartRequired({ asRead, context }: Pass, vm: VirtualMachine, message: string): VirtualMachine {
  const present = vm.status?.conditions;
  const before = asRead.status?.conditions ?? [];
  const old = conditionOf(before, condition.restartRequired);
  const stays = old?.status === 'True' && old.message === message && !hasCondition(present, condition.restartRequired);
  const conditions = stays ? backInPlace(present ?? [], before, old) : set(present, message, context.nowMs);
  return { ...vm, status: { ...vm.status, conditions } };
}

function set(conditions: Condition[] | undefined, message: string, nowMs: number): Condition[] {
  const lastTransitionTime = timestamp(nowMs);
  return updateCondition(conditions, { type: condition.restartRequired, status: 'True', message, lastTransitionTime });
}

/** Puts a condition back behind those that preceded it. */
function backInPlace(list: readonly Condition[], before: readonly Condition[], old: Condition): Condition[] {
  const preceding = before.slice(0, before.indexOf(old));
  const at = list.findLastIndex((c) => hasCondition(preceding, c.type)) + 1;
  return list.toSpliced(at, 0, old);
}

/** A start and a stop make an end of it. */
export function withoutRestartRequired(vm: VirtualMachine): VirtualMachine {
  const old = vm.status?.conditions;
  const conditions = removeCondition(old, condition.restartRequired);
  return conditions === old ? vm : { ...vm, status: { ...vm.status, conditions } };
}
