import { addOp, replaceOp, testOp } from '../core/json-patch.ts';
import type { ControllerRevision } from '../core/objects.ts';
import { semanticallyEqual } from '../core/semantic-equal.ts';
import { annotation } from './names.ts';
import { type Failure, type Pass, refTo } from './pass.ts';
import { generationInName, parseGeneration } from './start-revision-name.ts';
import { hardError, next, type Step } from './step.ts';
import { storedSpec } from './stored-spec.ts';

/**
 * Brings the VMI's generation annotation up to date, if the template is still the one that it was started from (vm.md 9.4):
 * changes of the run strategy alone advance it, changes of the template do not.
 */
export function bumpGeneration(pass: Pass): Step {
  const { instance, vm } = pass;
  const generation = vm.metadata.generation ?? 0;
  if (instance === undefined) return next;
  if (instance.metadata.annotations?.[annotation.vmGeneration] === String(generation)) return next;

  const origin = startedFrom(pass);
  if (origin.type === 'unnamed') return hardError('the VMI names no revision that it was started from');
  if (origin.type === 'gone') return next;
  const started = storedSpec(origin.revision);
  if (started === undefined) return hardError(`revision ${origin.revision.metadata.name} holds no spec`);
  if (!semanticallyEqual(started.template, vm.spec.template, 'VirtualMachineInstanceTemplateSpec')) return next;
  const failure = annotateGeneration(pass, generation);
  return failure === undefined ? next : hardError(`generation annotation of the VMI: ${failure.message}`);
}

/** The generation that the VMI runs (vm.md 9.4, "in status"). `unknown`: keep what the status says. */
export type ObservedGeneration =
  | { readonly type: 'known'; readonly generation: number }
  | { readonly type: 'unknown' }
  | { readonly type: 'error'; readonly message: string };

/** Reads the VMI's generation annotation; one that is no number is made good from the name of the VMI's revision. */
export function observedGeneration(pass: Pass): ObservedGeneration {
  const annotated = parseGeneration(pass.instance?.metadata.annotations?.[annotation.vmGeneration]);
  if (annotated !== undefined) return { type: 'known', generation: annotated };

  const origin = startedFrom(pass);
  if (origin.type === 'unnamed')
    return { type: 'error', message: 'the VMI names no revision that it was started from' };
  const generation = origin.type === 'gone' ? undefined : generationInName(origin.revision.metadata.name);
  if (generation === undefined) return { type: 'unknown' };
  const failure = annotateGeneration(pass, generation);
  return failure === undefined ? { type: 'known', generation } : { type: 'error', message: failure.message };
}

type Origin =
  | { readonly type: 'found'; readonly revision: ControllerRevision }
  | { readonly type: 'gone' }
  /** Never started by a VM. */
  | { readonly type: 'unnamed' };

function startedFrom({ instance, reads }: Pass): Origin {
  const name = instance?.status?.virtualMachineRevisionName;
  if (name === undefined || name === '') return { type: 'unnamed' };
  const revision = reads.revisions.find((r) => r.metadata.name === name) ?? reads.foreignRevision;
  return revision === undefined ? { type: 'gone' } : { type: 'found', revision };
}

function annotateGeneration(pass: Pass, generation: number): Failure | undefined {
  const { instance } = pass;
  if (instance === undefined) return undefined;
  const old = instance.metadata.annotations;
  const annotations = { ...old, [annotation.vmGeneration]: String(generation) };
  const path = '/metadata/annotations';
  const failure = pass.attempt({
    id: 'vmi-generation',
    verb: 'patch',
    target: refTo(instance),
    patch: {
      type: 'json',
      operations: [testOp(path, old), old === undefined ? addOp(path, annotations) : replaceOp(path, annotations)],
    },
  });
  if (failure === undefined) {
    pass.claim = { type: 'claimed', instance: { ...instance, metadata: { ...instance.metadata, annotations } } };
  }
  return failure;
}
