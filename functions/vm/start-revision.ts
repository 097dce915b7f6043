import { ControllerRevision as ControllerRevisionKind } from '../core/kinds.ts';
import type { ControllerRevision, VirtualMachine } from '../core/objects.ts';
import { ownerReferenceTo } from '../core/owner.ts';
import { writtenVirtualMachineSpec } from '../core/written-form/written-form.ts';
import { revisionNameIn } from '../rules/instancetype/side.ts';
import { type Pass, refTo } from './pass.ts';
import { generationInName, startRevisionName } from './start-revision-name.ts';
import { hardError, next, type Step } from './step.ts';
import { storedSpec } from './stored-spec.ts';

/** The spec of the last start: the revision with the highest generation, only while there is a VMI (vm.md 9.3). */
export function loadStartSpec(pass: Pass): Step {
  if (pass.instance === undefined) return next;
  let newest: { readonly generation: number; readonly revision: ControllerRevision } | undefined;
  for (const revision of pass.reads.revisions) {
    const generation = generationInName(revision.metadata.name);
    if (generation === undefined) return hardError(`revision ${revision.metadata.name} has no generation`);
    if (generation > (newest?.generation ?? 0)) newest = { generation, revision };
  }
  if (newest === undefined) return next;
  pass.startSpec = storedSpec(newest.revision);
  return pass.startSpec === undefined ? hardError(`revision ${newest.revision.metadata.name} holds no spec`) : next;
}

export type EnsuredRevision =
  | { readonly type: 'ensured'; readonly name: string }
  | { readonly type: 'error'; readonly message: string };

/** At a start: keeps one revision, that of the VM's present generation (vm.md 9.2). */
export function ensureStartRevision(pass: Pass, vm: VirtualMachine): EnsuredRevision {
  const generation = vm.metadata.generation ?? 0;
  const name = startRevisionName(vm);
  for (const revision of pass.reads.revisions.filter((r) => r.revision !== generation)) {
    const failure = pass.attempt({
      id: `delete-revision ${revision.metadata.name}`,
      verb: 'delete',
      target: refTo(revision),
      uid: revision.metadata.uid ?? '',
      resourceVersion: revision.metadata.resourceVersion ?? '',
    });
    if (failure !== undefined) return { type: 'error', message: `deleting an old VM revision: ${failure.message}` };
  }
  if (pass.reads.revisions.some((r) => r.revision === generation)) return { type: 'ensured', name };

  const failure = pass.attempt({
    id: 'create-revision',
    verb: 'create',
    object: startRevision(vm, name, generation),
  });
  if (failure !== undefined) return { type: 'error', message: `creating the VM revision: ${failure.message}` };
  return { type: 'ensured', name };
}

function startRevision(vm: VirtualMachine, name: string, revision: number): ControllerRevision {
  return {
    apiVersion: ControllerRevisionKind.apiVersion,
    kind: ControllerRevisionKind.kind,
    metadata: { name, namespace: vm.metadata.namespace, ownerReferences: [ownerReferenceTo(vm)] },
    data: { spec: writtenVirtualMachineSpec(withRevisionNames(vm)) },
    revision,
  };
}

/** The spec with the revisions of instance type and preference that the VM is started with; a matcher that is gone stays so. */
function withRevisionNames({ spec, status }: VirtualMachine): VirtualMachine['spec'] {
  const instancetype = revisionNameIn(status?.instancetypeRef);
  const preference = revisionNameIn(status?.preferenceRef);
  return {
    ...spec,
    ...(spec.instancetype && instancetype
      ? { instancetype: { ...spec.instancetype, revisionName: instancetype } }
      : {}),
    ...(spec.preference && preference ? { preference: { ...spec.preference, revisionName: preference } } : {}),
  };
}
