import { removeCondition, updateCondition } from '../core/conditions.ts';
import { timestamp } from '../core/context.ts';
import type { VirtualMachine } from '../core/objects.ts';
import { semanticallyEqual } from '../core/semantic-equal.ts';
import { appliedStartSpec, appliedTemplateSpec } from './instancetype/applied-template.ts';
import { withoutLiveUpdatable } from './live-updatable.ts';
import { condition } from './names.ts';
import type { Pass } from './pass.ts';
import { next, type Step } from './step.ts';

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
  const rollout = pass.context.configuration.kubevirt.vmRolloutStrategy ?? 'LiveUpdate';
  const comparable = withoutLiveUpdatable(started, {
    current,
    instance,
    isLiveUpdate: rollout === 'LiveUpdate',
    mayMigrateVolumes: vm.spec.updateVolumesStrategy === 'Migration',
  });
  pass.vm = semanticallyEqual(current, comparable, 'VirtualMachineInstanceSpec')
    ? withoutRestartRequired(vm)
    : withRestartRequired(vm, pass.context.nowMs);
  return next;
}

function withRestartRequired(vm: VirtualMachine, nowMs: number): VirtualMachine {
  const conditions = updateCondition(vm.status?.conditions, {
    type: condition.restartRequired,
    status: 'True',
    message: 'the template was changed in parts that a running virtual machine does not take over',
    lastTransitionTime: timestamp(nowMs),
  });
  return { ...vm, status: { ...vm.status, conditions } };
}

/** A start and a stop make an end of it. */
export function withoutRestartRequired(vm: VirtualMachine): VirtualMachine {
  const old = vm.status?.conditions;
  const conditions = removeCondition(old, condition.restartRequired);
  return conditions === old ? vm : { ...vm, status: { ...vm.status, conditions } };
}
