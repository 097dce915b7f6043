import { hasCondition } from '../../core/conditions.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Spec } from '../edit-copy.ts';
import { isBeingDeleted } from '../instance-state.ts';
import { appliedTemplateSpec } from '../instancetype/applied-template.ts';
import { condition } from '../names.ts';
import type { Pass } from '../pass.ts';
import { isLiveUpdate } from '../restart-required.ts';
import { next, type Step, syncError } from '../step.ts';
import { updateVolumes } from '../volume-migration/update-volumes.ts';
import { updateAffinity } from './affinity.ts';
import { updateCpu } from './cpu.ts';
import { updateMemory } from './memory.ts';
import { updateTolerations } from './tolerations.ts';

/** What a live update goes by: what the VM wants, and the VMI that is to follow. */
export interface LiveUpdate {
  readonly pass: Pass;
  readonly desired: Spec;
  readonly instance: VirtualMachineInstance;
}

const updates: readonly ((update: LiveUpdate) => Step)[] = [updateCpu, updateAffinity, updateTolerations, updateMemory];

/** Carries changes of the template over to the running VMI (vm.md 7). The first that fails holds back those behind it. */
export function liveUpdate(pass: Pass): Step {
  const isHeldBack = pass.restartRequired || hasCondition(pass.vm.status?.conditions, condition.restartRequired);
  if (!isLiveUpdate(pass) || isHeldBack) return next;
  for (const update of updates) {
    const { instance } = pass;
    if (instance === undefined || isBeingDeleted(instance)) break;
    const desired = appliedTemplateSpec(pass.editCopy, pass.profile);
    if (desired === undefined) return syncError('HotPlugCPUError', 'Instance type and preference can not be applied');
    const step = update({ pass, desired, instance });
    if (step.type !== 'next') return step;
  }
  return updateVolumes(pass);
}
