import { hasFinalizer } from '../core/finalizers.ts';
import { finalizer } from './names.ts';
import type { Pass } from './pass.ts';
import { withoutRestartRequired } from './restart-required.ts';
import { endPass, hardError, next, type Step, syncError, toStatus } from './step.ts';
import { stop } from './stop.ts';
import { removeControllerFinalizer } from './vm-finalizer.ts';

/**
 * A VM that is being deleted (vm.md 14): first its VMI, then the finalizer. With finalizer `orphan` the VMI stays.
 *
 * The pass ends with the removal of the finalizer: usually it is the last one, and a status would find no VM.
 */
export function followDeletion(pass: Pass): Step {
  const { vm } = pass;
  if (vm.metadata.deletionTimestamp === undefined) return next;

  if (pass.instance !== undefined && !hasFinalizer(vm, finalizer.orphan)) {
    const error = stop(pass);
    if (error !== undefined) return syncError('FailedDelete', error);
    // Also in the passes after the one that deleted it: a pass cut short before its status must not leave another end.
    pass.vm = withoutRestartRequired(pass.vm);
    return toStatus;
  }
  if (!hasFinalizer(vm, finalizer.controller)) return toStatus;
  const failure = removeControllerFinalizer(pass);
  return failure === undefined ? endPass : hardError(`removing the finalizer: ${failure.message}`);
}
