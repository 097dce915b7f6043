import { hasFinalizer, removeFinalizer } from '../core/finalizers.ts';
import { testAndReplace } from '../core/json-patch.ts';
import { isBeingDeleted, isFinal } from './instance-state.ts';
import { finalizer } from './names.ts';
import { intent, type Pass, refTo } from './pass.ts';
import { hardError, next, type Step } from './step.ts';

/**
 * Lets go of a VMI that has ended (vm.md 12.1, step 12): the last action of a pass, after the status, so that nothing of the
 * VMI's end is lost.
 */
export function releaseInstance(pass: Pass): Step {
  const { instance } = pass;
  if (instance === undefined || !hasFinalizer(instance, finalizer.controller)) return next;
  const unused = instance.status?.phase === 'WaitingForSync' && isBeingDeleted(instance);
  if (!isFinal(instance) && !unused) return next;

  const rest = removeFinalizer(instance, finalizer.controller).metadata.finalizers ?? [];
  const operations = testAndReplace('/metadata/finalizers', instance.metadata.finalizers, rest);
  const failure = pass.attempt({
    id: intent.releaseInstance,
    verb: 'patch',
    target: refTo(instance),
    patch: { type: 'json', operations },
  });
  return failure === undefined ? next : hardError(`removing the finalizer of the VMI: ${failure.message}`);
}
