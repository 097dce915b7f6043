import { isConditionStatus, newCondition, updateCondition } from '../core/conditions.ts';
import { timestamp } from '../core/context.ts';
import type { Pod, VirtualMachineInstance } from '../core/objects.ts';
import { condition } from './names.ts';
import { podRef } from './pass.ts';
import type { PodPatch } from './pod-patch.ts';

/**
 * Carries the paused state over to the pod's readiness gate (vmi.md 8.4).
 *
 * | VMI `Paused` | pod `virtual-machine-unpaused` | patch |
 * |---|---|---|
 * | True | True | to False, `Paused` |
 * | True | else | none |
 * | else | True | none |
 * | else | else | to True, `NotPaused` |
 */
export function pausedPodCondition(vmi: VirtualMachineInstance, pod: Pod, nowMs: number): PodPatch | undefined {
  const isPaused = isConditionStatus(vmi.status?.conditions, condition.paused);
  const isPodUnpaused = isConditionStatus(pod.status?.conditions, condition.podUnpaused);
  if (isPaused !== isPodUnpaused) return undefined;
  const now = timestamp(nowMs);
  const unpaused = newCondition({
    type: condition.podUnpaused,
    status: isPaused ? 'False' : 'True',
    reason: isPaused ? 'Paused' : 'NotPaused',
    message: isPaused ? 'The guest is paused' : 'The guest is not paused',
    lastProbeTime: now,
    lastTransitionTime: now,
  });
  const conditions = updateCondition(pod.status?.conditions, unpaused);
  const body = {
    status: { '$setElementOrder/conditions': conditions.map(({ type }) => ({ type })), conditions: [unpaused] },
  };
  return {
    action: {
      id: 'pod paused condition',
      verb: 'patch',
      target: podRef(pod),
      subresource: 'status',
      patch: { type: 'strategic', body },
    },
    pod: { ...pod, status: { ...pod.status, conditions } },
  };
}
