import type { Action } from './action.ts';
import type { OpenExpectation } from './expectation.ts';

/**
 * What one pass decided. Actions are applied first, then the rest of the outcome holds.
 *
 * - `done`: nothing more until something read changes.
 * - `requeue-after`: visit the key again after that time, whatever happens before.
 * - `stale`: an expectation is open; the key is visited again when the relay's view has caught up with it.
 * - `busy`: another pass holds the key's state; no failure.
 * - `retry`: counts a failure and backs off.
 */
export type Outcome<S = unknown> = {
  readonly actions: readonly Action[];
  /** The controller's own small state; absent: as it was. `null`: none any more. */
  readonly state?: S | null;
} & (
  | { readonly type: 'done' }
  | { readonly type: 'requeue-after'; readonly afterMs: number }
  | { readonly type: 'stale'; readonly expectation: OpenExpectation }
  | { readonly type: 'busy' }
  | { readonly type: 'retry'; readonly reason: string }
);
