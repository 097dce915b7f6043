import { writtenForm } from '../../core/written-form/written-form.ts';
import { expand, withoutReferences } from '../../rules/instancetype/expand.ts';
import { refOf, revisionNameIn, sides } from '../../rules/instancetype/side.ts';
import { type Pass, refTo } from '../pass.ts';
import { endPass, next, type Step, syncError } from '../step.ts';

export type ReferencePolicy = 'reference' | 'expand' | 'expandAll';

/** `spec.configuration.instancetype.referencePolicy`; what is none of them counts as the default. */
export function referencePolicy({ context }: Pass): ReferencePolicy {
  const policy = context.configuration.kubevirt.instancetype?.referencePolicy;
  return policy === 'expand' || policy === 'expandAll' ? policy : 'reference';
}

/**
 * Writes instance type and preference into the template (vm.md 10.7). The VM comes back with a new generation, so the pass
 * ends here. With policy `expand` a VM that keeps a revision already stays as it is.
 */
export function expandInstancetypes(pass: Pass): Step {
  const { vm, profile, context } = pass;
  if (referencePolicy(pass) === 'expand' && sides.some((side) => revisionNameIn(refOf(side, vm)) !== undefined))
    return next;
  const expanded = expand(vm, profile, context.configuration);
  if (expanded.type === 'error') return syncError('UnsupportedSyncError', `Expanding the VM: ${expanded.message}`);
  const failure = pass.attempt({ id: 'expand', verb: 'update', object: writtenForm(expanded.vm) });
  if (failure !== undefined) return syncError('UnsupportedSyncError', `Expanding the VM: ${failure.message}`);
  pass.vm = { ...expanded.vm, status: vm.status };
  return dropReferences(pass) ?? endPass;
}

/**
 * What is left of an expansion that was cut short after its first write: references of a VM without matchers. Where VMs are not
 * expanded they stay (vm.md 10.1).
 */
export function finishExpansion(pass: Pass): Step {
  return referencePolicy(pass) === 'reference' ? next : (dropReferences(pass) ?? next);
}

/**
 * Deletes the revisions that the references name, then clears the references; in this order, so that a pass cut in between
 * leaves no revision behind that nothing names. A revision that cannot be deleted is tried again.
 */
function dropReferences(pass: Pass): Step | undefined {
  const { vm, reads } = pass;
  const bare = withoutReferences(vm);
  if (bare === vm) return undefined;
  const names = new Set(sides.map((side) => revisionNameIn(refOf(side, vm))));
  for (const revision of reads.instancetypeRevisions.filter((r) => names.has(r.metadata.name))) {
    const { name, uid = '', resourceVersion = '' } = revision.metadata;
    const id = `delete-expanded ${name}`;
    const failure = pass.attempt({ id, verb: 'delete', target: refTo(revision), uid, resourceVersion });
    if (failure !== undefined) return syncError('FailedCreate', `Deleting revision ${name}: ${failure.message}`);
  }
  const failure = pass.attempt({ id: 'clear-references', verb: 'updateStatus', object: writtenForm(bare) });
  return failure === undefined ? endPass : syncError('UnsupportedSyncError', `Expanding the VM: ${failure.message}`);
}
