import { failureOf } from '../core/context.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Reconcile } from '../core/reconcile.ts';
import { observeApiVersion } from './api-version-annotations.ts';
import { claim } from './claim.ts';
import { releaseInstance } from './instance-finalizer.ts';
import { intent, Pass } from './pass.ts';
import type { vm } from './reads.ts';
import { updateStatus, updateVolumeSnapshotStatuses } from './status.ts';
import { hardError, next, type Step, type SyncError } from './step.ts';
import { sync } from './sync.ts';

/** One pass over one VirtualMachine (vm.md 3.1). */
export const reconcile: Reconcile<typeof vm> = (snapshot, _state, context) => {
  if (snapshot.primary === undefined) return { type: 'done', actions: [] };
  const pass = new Pass(snapshot.primary, snapshot.reads, context);
  return outcome(pass, run(pass));
};

/** All steps; what is returned is how the pass ended. */
function run(pass: Pass): Step {
  const unfinished = lastWriteFailure(pass);
  if (unfinished !== undefined) return unfinished;

  const observed = observeApiVersion(pass);
  if (observed.type !== 'next') return observed;

  const claimed = claim(pass);
  const synced = claimed.type === 'next' ? sync(pass) : claimed;
  switch (synced.type) {
    case 'hard-error':
      updateVolumeSnapshotStatuses(pass);
      return synced;
    case 'sync-error':
      return report(pass, synced);
    case 'end':
      return synced;
    case 'next':
    case 'status':
      return report(pass, undefined);
  }
}

/**
 * The writes that end a pass leave nothing to report when they fail: the key backs off before anything is tried again, or two
 * writes that both fail would take turns without a pause.
 */
function lastWriteFailure({ context }: Pass): Step | undefined {
  const failure = failureOf(context, intent.updateStatus) ?? failureOf(context, intent.releaseInstance);
  return failure === undefined ? undefined : hardError(`${failure.id}: ${failure.message}`);
}

/** Writes the status, then lets go of a VMI that has ended; an error of these counts before the sync error. */
function report(pass: Pass, error: SyncError | undefined): Step {
  const written = updateStatus(pass, error);
  const released = written.type === 'next' ? releaseInstance(pass) : written;
  return released.type === 'next' ? (error ?? next) : released;
}

function outcome(pass: Pass, end: Step): Outcome<never> {
  const { actions, openExpectation, wakeUpAfterMs } = pass;
  if (end.type === 'hard-error' || end.type === 'sync-error') return { type: 'retry', reason: end.message, actions };
  if (openExpectation !== undefined) return { type: 'stale', expectation: openExpectation, actions };
  if (wakeUpAfterMs !== undefined) return { type: 'requeue-after', afterMs: wakeUpAfterMs, actions };
  return { type: 'done', actions };
}
