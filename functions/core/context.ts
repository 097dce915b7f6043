import type { ActionResult } from './action.ts';
import type { ClusterConfiguration } from './configuration/configuration.ts';
import type { OpenExpectation } from './expectation.ts';
import type { Grants } from './needs.ts';

/** What a pass knows besides the snapshot and its state. */
export interface Context {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly configuration: ClusterConfiguration;
  /** The relay's fencing token. */
  readonly token: number;
  /** Writes of earlier passes that the snapshot may not show yet. The controller decides what they hold back. */
  readonly expectations: readonly OpenExpectation[];
  /** What became of the last outcome's actions; empty when that is known already, or lost. */
  readonly results: readonly ActionResult[];
  /** Consecutive failed passes of this key before this one. */
  readonly failures: number;
  /** What this pass asked for when it was run before; absent: it has not asked. */
  readonly grants?: Grants;
}

/** The failure of the action of that id in the last outcome, if it failed (conflicts are not failures). */
export function failureOf(context: Context, id: string): (ActionResult & { status: 'failed' }) | undefined {
  for (const r of context.results) if (r.id === id && r.status === 'failed') return r;
  return undefined;
}

/**
 * After a failure, the ids of actions that were not attempted because of it; `undefined`: nothing has failed. An answer's actions
 * end at the first that fails, and the pass after it comes at once. One that goes on with these lets no object that can't be
 * written hold up another.
 */
export function leftByFailure({ results }: Pick<Context, 'results'>): ReadonlySet<string> | undefined {
  if (!results.some((r) => r.status === 'failed')) return undefined;
  return new Set(results.filter((r) => r.status === 'not-attempted').map((r) => r.id));
}

/** RFC 3339 in UTC with whole seconds, as Kubernetes writes times. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
