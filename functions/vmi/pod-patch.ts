import type { JsonPatchOperation, PatchAction } from '../core/action.ts';
import type { Pod } from '../core/objects.ts';
import { podRef } from './pass.ts';

/** A JSON patch of a pod, and the pod as it is afterwards: the rest of the pass works with that (vmi.md 6.7). */
export interface PodPatch {
  readonly action: PatchAction;
  readonly pod: Pod;
}

export function podJsonPatch(id: string, pod: Pod, operations: readonly JsonPatchOperation[], patched: Pod): PodPatch {
  return { action: { id, verb: 'patch', target: podRef(pod), patch: { type: 'json', operations } }, pod: patched };
}

export function withAnnotations(pod: Pod, annotations: Record<string, string>): Pod {
  return { ...pod, metadata: { ...pod.metadata, annotations } };
}
