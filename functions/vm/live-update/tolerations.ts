import { semanticallyEqual } from '../../core/semantic-equal.ts';
import { isMigrating } from '../instance-state.ts';
import { next, type Step, syncError } from '../step.ts';
import type { LiveUpdate } from './live-update.ts';
import { carryOver } from './placement.ts';

/** Tolerations of a running VMI: they count for its next migration (vm.md 7.3). */
export function updateTolerations({ pass, desired, instance }: LiveUpdate): Step {
  if (semanticallyEqual(instance.spec.tolerations, desired.tolerations, '[]Toleration')) return next;
  if (isMigrating(instance, pass.context.nowMs)) return refuse('the VMI is being migrated');
  const failure = carryOver(pass, instance, 'tolerations', desired.tolerations);
  return failure === undefined ? next : refuse(failure.message);
}

function refuse(cause: string): Step {
  return syncError('TolerationsChangeError', `Changing tolerations: ${cause}`);
}
