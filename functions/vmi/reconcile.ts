import { type Context, failureOf } from '../core/context.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Reconcile } from '../core/reconcile.ts';
import { OBSERVE_ID, observeApiVersion, observesApiVersion } from './api-version.ts';
import { currentPod } from './current-pod.ts';
import type { Pass } from './pass.ts';
import { CREATE_POD_ID } from './pod-creation.ts';
import type { vmi } from './reads.ts';
import { statusStep } from './status-step.ts';
import { syncStep } from './sync-step.ts';
import { WRITE_ID } from './vmi-update.ts';

/**
 * One pass over a VMI (vmi.md 4): first the API version, then the sync step, then the status step. What the original learns
 * from a request's answer within the pass comes here with the next delivery's results: an action that failed is not tried
 * again in that pass, its event and condition are written instead.
 */
export const reconcile: Reconcile<typeof vmi> = (snapshot, _state, context) => {
  const { primary: instance, reads } = snapshot;
  if (instance === undefined) return { type: 'done', actions: [] };
  const failure = lastWriteFailure(context);
  if (failure !== undefined) return { type: 'retry', actions: [], reason: failure };
  if (!observesApiVersion(instance)) return { type: 'done', actions: [observeApiVersion(instance)], goesOn: true };

  const pass: Pass = { vmi: instance, pods: reads.pods, reads, context };
  const pod = currentPod(instance, reads.pods);
  const created = context.expectations.find((e) => e.id === CREATE_POD_ID);
  // All of the pass would rest on a pod not being there that is.
  if (pod === undefined && created !== undefined) return { type: 'stale', actions: [], expectation: created };
  return outcomeOf(pass, pod);
};

function lastWriteFailure(context: Context): string | undefined {
  for (const id of [OBSERVE_ID, WRITE_ID]) {
    const failure = failureOf(context, id);
    if (failure !== undefined) return `Failed to write the VMI: ${failure.message}`;
  }
  return undefined;
}

function outcomeOf(pass: Pass, pod: ReturnType<typeof currentPod>): Outcome<never> {
  const sync = syncStep(pass, pod);
  const status = statusStep(pass, sync);
  if (status.result.type === 'needs') return { type: 'needs', needs: status.result.needs, actions: [] };
  const actions = [...sync.actions, ...status.actions];
  if (status.result.type === 'error') return { type: 'retry', actions, reason: status.result.reason };
  if (sync.error?.type === 'retried') {
    return { type: 'retry', actions, reason: `${sync.error.reason}: ${sync.error.message}` };
  }
  if (sync.heldBackBy !== undefined) return { type: 'stale', actions, expectation: sync.heldBackBy };
  const afterMs = Math.min(sync.requeueAfterMs ?? Infinity, status.requeueAfterMs ?? Infinity);
  if (afterMs !== Infinity) return { type: 'requeue-after', actions, afterMs };
  return { type: 'done', actions };
}
