import { ControllerRevision as ControllerRevisionKind } from '../core/kinds.ts';
import type { ControllerRevision, VirtualMachine } from '../core/objects.ts';
import { ownerReferenceTo } from '../core/owner.ts';
import { writtenVirtualMachineSpec } from '../core/written-form/written-form.ts';
import { type Pass, refTo } from './pass.ts';
import { generationInName, startRevisionName } from './start-revision-name.ts';
import { hardError, next, type Step } from './step.ts';

/** The VM's spec as a start revision holds it; none, if it holds something else. */
export function storedSpec(revision: ControllerRevision): VirtualMachine['spec'] | undefined {
  const data = revision.data as { spec?: VirtualMachine['spec'] } | null | undefined;
  return typeof data?.spec === 'object' && data.spec !== null ? data.spec : undefined;
}

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
export function ensureStartRevision(pass: Pass): EnsuredRevision {
  const generation = pass.vm.metadata.generation ?? 0;
  const name = startRevisionName(pass.vm);
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
    object: startRevision(pass, name, generation),
  });
  if (failure !== undefined) return { type: 'error', message: `creating the VM revision: ${failure.message}` };
  return { type: 'ensured', name };
}

function startRevision(pass: Pass, name: string, revision: number): ControllerRevision {
  return {
    apiVersion: ControllerRevisionKind.apiVersion,
    kind: ControllerRevisionKind.kind,
    metadata: { name, namespace: pass.vm.metadata.namespace, ownerReferences: [ownerReferenceTo(pass.vm)] },
    data: { spec: writtenVirtualMachineSpec(pass.vm.spec) },
    revision,
  };
}
