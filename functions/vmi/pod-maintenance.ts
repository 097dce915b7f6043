import type { PatchAction } from '../core/action.ts';
import { failureOf } from '../core/context.ts';
import { addOp, pointer, testAndRemove } from '../core/json-patch.ts';
import type { Pod } from '../core/objects.ts';
import { annotation } from './names.ts';
import { networkAnnotations } from './network/pod-annotations.ts';
import type { Pass, SyncError } from './pass.ts';
import { type PodPatch, podJsonPatch, withAnnotations } from './pod-patch.ts';

export interface PodMaintenance {
  readonly actions: readonly PatchAction[];
  readonly pod: Pod;
  readonly error?: SyncError;
}

/** Keeps the annotations of a ready launcher pod (vmi.md 6.7, steps 1 to 3). The first patch that failed ends it. */
export function maintainPod(pass: Pass, pod: Pod): PodMaintenance {
  const actions: PatchAction[] = [];
  let current = pod;
  for (const step of [wantedAnnotations, evictionMark]) {
    const patch = step(pass, current);
    if (patch === undefined) continue;
    const failure = failureOf(pass.context, patch.action.id);
    if (failure !== undefined) {
      const message = `Failed to patch pod ${pod.metadata.name}: ${failure.message}`;
      return { actions, pod: current, error: { type: 'retried', reason: 'FailedPodPatch', message } };
    }
    actions.push(patch.action);
    current = patch.pod;
  }
  return { actions, pod: current };
}

/** Sets what is missing or different; keys are never removed here. */
function wantedAnnotations(pass: Pass, pod: Pod): PodPatch | undefined {
  const wanted = {
    [annotation.requestEvictOnly]: '',
    ...networkAnnotations(pass.vmi, pod, pass.context.configuration.kubevirt),
  };
  const present = pod.metadata.annotations ?? {};
  const changed = Object.entries(wanted).filter(([key, value]) => present[key] !== value);
  if (changed.length === 0) return undefined;
  const operations = changed.map(([key, value]) => addOp(pointer('metadata', 'annotations', key), value));
  return podJsonPatch('pod annotations', pod, operations, withAnnotations(pod, { ...present, ...wanted }));
}

/** Tells the descheduler that the eviction which it asked for is under way. */
function evictionMark(pass: Pass, pod: Pod): PodPatch | undefined {
  const { [annotation.evictionInProgress]: mark, ...others } = pod.metadata.annotations ?? {};
  const path = pointer('metadata', 'annotations', annotation.evictionInProgress);
  const isEvicted = (pass.vmi.status?.evacuationNodeName ?? '') !== '';
  if (isEvicted === (mark !== undefined)) return undefined;
  return isEvicted
    ? podJsonPatch(
        'pod eviction mark',
        pod,
        [addOp(path, 'true')],
        withAnnotations(pod, { ...others, [annotation.evictionInProgress]: 'true' }),
      )
    : podJsonPatch('pod eviction mark', pod, testAndRemove(path, mark), withAnnotations(pod, others));
}
