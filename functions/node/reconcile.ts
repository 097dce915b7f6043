import type { Action } from '../core/action.ts';
import type { Context } from '../core/context.ts';
import type { SnapshotOf } from '../core/controller.ts';
import type { Node } from '../core/objects.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Reconcile } from '../core/reconcile.ts';
import { failInstance } from './fail-instance.ts';
import { responsiveness } from './heartbeat.ts';
import { checkOrphans } from './orphan-check.ts';
import type { node } from './reads.ts';
import { stuckInstances, toBeTried } from './stuck-instances.ts';
import { unresponsiveEvent } from './unresponsive-event.ts';
import { isSchedulable, markUnschedulable } from './unschedulable.ts';

const RECHECK_MS = 60_000;

/** One pass over one node (node.md A4). */
export const reconcile: Reconcile<typeof node> = (snapshot, _state, context) => {
  switch (responsiveness(snapshot.primary, context.nowMs)) {
    case 'unreadable':
      return { type: 'done', actions: [] };
    case 'responsive':
      return nextMinute([]);
    case 'unresponsive':
      return lookAfter(snapshot, context);
  }
};

function lookAfter(snapshot: SnapshotOf<typeof node>, context: Context): Outcome<never> {
  const { primary, reads } = snapshot;
  const failure = context.results.find((r) => r.status === 'failed');
  if (primary !== undefined && isSchedulable(primary)) {
    if (failure !== undefined) return tryAgain(primary, [], failure.message);
    // The changed node comes back at once, with its VMIs.
    return nextMinute(markUnschedulable(primary));
  }
  if (reads.instances.length === 0) return primary === undefined ? done([]) : nextMinute([]);

  const warnings: Action[] = [];
  if (primary !== undefined) {
    const check = checkOrphans(reads.pods, reads.agentSets);
    if (check.type === 'unknown') return tryAgain(primary, [], check.reason);
    if (check.type === 'orphaned') warnings.push(orphanWarning(primary));
  }
  const node = { name: snapshot.key, seen: primary !== undefined };
  const stuck = toBeTried(stuckInstances(reads.instances, reads.pods), context);
  const actions = [...warnings, ...stuck.flatMap((vmi) => failInstance(vmi, reads.pods, node))];
  if (failure !== undefined) return tryAgain(primary, actions, failure.message);
  return primary === undefined ? done(actions) : nextMinute(actions);
}

function orphanWarning(primary: Node): Action {
  const message =
    'No node agent runs here, so nobody looks after the VMIs of this node. Run the agent here to migrate or remove them.';
  return unresponsiveEvent(primary, 'Warning', message);
}

function done(actions: readonly Action[]): Outcome<never> {
  return { type: 'done', actions };
}

function nextMinute(actions: readonly Action[]): Outcome<never> {
  return { type: 'requeue-after', afterMs: RECHECK_MS, actions };
}

/** A node that is gone has no row in which failures could be counted: it waits a minute instead of backing off. */
function tryAgain(primary: Node | undefined, actions: readonly Action[], reason: string): Outcome<never> {
  return primary === undefined ? nextMinute(actions) : { type: 'retry', actions, reason };
}
