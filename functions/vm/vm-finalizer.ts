import { addFinalizer, hasFinalizer, removeFinalizer } from '../core/finalizers.ts';
import { testAndReplace } from '../core/json-patch.ts';
import type { VirtualMachine } from '../core/objects.ts';
import { finalizer } from './names.ts';
import { type Failure, type Pass, refTo } from './pass.ts';
import { hardError, next, type Step } from './step.ts';

/** The controller's finalizer on the VM (vm.md 4, step 4), appended at the end. */
export function ensureFinalizer(pass: Pass): Step {
  if (hasFinalizer(pass.vm, finalizer.controller)) return next;
  const failure = patchFinalizers(pass, addFinalizer(pass.vm, finalizer.controller));
  return failure === undefined ? next : hardError(`adding the finalizer: ${failure.message}`);
}

export function removeControllerFinalizer(pass: Pass): Failure | undefined {
  return patchFinalizers(pass, removeFinalizer(pass.vm, finalizer.controller));
}

/** Replaces the VM's finalizers, if they are still as they were read; the generation stays. */
function patchFinalizers(pass: Pass, wanted: VirtualMachine): Failure | undefined {
  const [old, finalizers] = [pass.vm.metadata.finalizers, wanted.metadata.finalizers ?? []];
  const operations = testAndReplace('/metadata/finalizers', old, finalizers);
  const failure = pass.attempt({
    id: 'vm-finalizers',
    verb: 'patch',
    target: refTo(pass.vm),
    patch: { type: 'json', operations },
  });
  if (failure === undefined) pass.vm = wanted;
  return failure;
}
