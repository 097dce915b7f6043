import { semanticallyEqual } from '../../core/semantic-equal.ts';
import { isMigrating } from '../instance-state.ts';
import { next, type Step, syncError } from '../step.ts';
import type { LiveUpdate } from './live-update.ts';
import { carryOver } from './placement.ts';

/** Affinity and node selector of a running VMI: they count for its next migration (vm.md 7.2). */
export function updateAffinity({ pass, desired, instance }: LiveUpdate): Step {
  const { spec } = instance;
  const isSameAffinity = semanticallyEqual(spec.affinity, desired.affinity, 'Affinity');
  const isSameSelector = semanticallyEqual(spec.nodeSelector, desired.nodeSelector, '{}s');
  if (isSameAffinity && isSameSelector) return next;
  if (isMigrating(instance, pass.context.nowMs)) return refuse('the VMI is being migrated');
  if (!isSameAffinity) {
    const failure = carryOver(pass, instance, 'affinity', desired.affinity);
    if (failure !== undefined) return refuse(failure.message);
  }
  if (!isSameSelector) {
    const failure = carryOver(pass, pass.instance ?? instance, 'nodeSelector', desired.nodeSelector);
    if (failure !== undefined) return refuse(failure.message);
  }
  return next;
}

function refuse(cause: string): Step {
  return syncError('AffinityChangeError', `Changing affinity and node selector: ${cause}`);
}
