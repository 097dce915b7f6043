import type { Action } from '../core/action.ts';
import { failureOf } from '../core/context.ts';
import type { OpenExpectation } from '../core/expectation.ts';
import type { Pod } from '../core/objects.ts';
import { type Pass, podRef } from './pass.ts';
import { vmiEvent } from './vmi-event.ts';

/**
 * What becomes of a pod that is to go.
 *
 * - `asked`: the deletion is among the actions, or was found done.
 * - `awaited`: it was done, and is not seen yet.
 * - `failed`: it failed in the last pass, and is not tried in this one.
 */
export type PodDeletion = { readonly actions: readonly Action[] } & (
  | { readonly type: 'asked' }
  | { readonly type: 'awaited'; readonly expectation: OpenExpectation }
  | { readonly type: 'failed'; readonly message: string }
);

/** Deletes one pod and tells of it (vmi.md 6.1, 6.5, 6.8). `because` ends the sentence "Pod ... is deleted ...". */
export function deletePod(pass: Pass, pod: Pod, because: string, gracePeriodSeconds?: number): PodDeletion {
  const { name, uid = '', resourceVersion = '' } = pod.metadata;
  const id = `delete pod ${uid}`;
  const expectation = pass.context.expectations.find((e) => e.id === id);
  if (expectation !== undefined) return { type: 'awaited', actions: [], expectation };
  const failure = failureOf(pass.context, id);
  if (failure !== undefined && failure.code !== 404) {
    const message = `Pod ${name} could not be deleted: ${failure.message}`;
    const event = vmiEvent(pass.vmi, { type: 'Warning', reason: 'FailedDelete', message }, name);
    return { type: 'failed', actions: [event], message };
  }
  const told = tellDeletion(pass, pod, because);
  if (failure !== undefined) return { type: 'asked', actions: [told] };
  const deletion: Action = {
    id,
    verb: 'delete',
    target: podRef(pod),
    uid,
    resourceVersion,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    expect: true,
  };
  return { type: 'asked', actions: [deletion, told] };
}

/** The event of a deletion. */
export function tellDeletion(pass: Pass, { metadata }: Pod, because: string): Action {
  const message = `Pod ${metadata.name} is deleted ${because}`;
  return vmiEvent(pass.vmi, { type: 'Normal', reason: 'SuccessfulDelete', message }, metadata.name);
}
