import { controllerOf, isControlledBy, ownerReferenceTo } from '../core/owner.ts';
import { type Pass, refTo } from './pass.ts';
import { hardError, next, type Step } from './step.ts';

/** Ownership of the VMI of the VM's name, and adoption of one that has no owner (vm.md 3.2). */
export function claimInstance(pass: Pass): Step {
  const { instance } = pass.reads;
  const { uid = '', deletionTimestamp } = pass.vm.metadata;
  if (instance === undefined) return next;

  const mayAdopt = deletionTimestamp === undefined && instance.metadata.deletionTimestamp === undefined;
  pass.claim = isControlledBy(instance, pass.vm) ? { type: 'claimed', instance } : { type: 'foreign' };
  if (controllerOf(instance) !== undefined || !mayAdopt) return next;

  const failure = pass.attempt({
    id: 'adopt-vmi',
    verb: 'patch',
    target: refTo(instance),
    patch: {
      type: 'merge',
      body: { metadata: { ownerReferences: [ownerReferenceTo(pass.vm)] } },
      uid: instance.metadata.uid ?? '',
      resourceVersion: instance.metadata.resourceVersion ?? '',
    },
    preconditions: [{ type: 'live', ...refTo(pass.vm), uid }],
  });
  if (failure !== undefined) return hardError(`adopting the VMI: ${failure.message}`);
  pass.claim = { type: 'claimed', instance };
  return next;
}
