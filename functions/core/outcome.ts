import type { Action } from './action.ts';
import type { OpenExpectation } from './expectation.ts';
import type { Needs } from './needs.ts';

/**
 * What one pass decided. Actions are applied first, then the rest of the outcome holds.
 *
 * - `done`: nothing more until something read changes.
 * - `requeue-after`: visit the key again after that time, whatever happens before.
 * - `stale`: an expectation is open; the key is visited again when the relay's view has caught up with it.
 * - `busy`: another pass holds the key's state; no failure.
 * - `retry`: counts a failure and backs off.
 * - `needs`: no decision yet: the pass is run again with what it needs (`needs.ts`). Actions are empty.
 */
export type Outcome<S = unknown> = {
  readonly actions: readonly Action[];
  /** The controller's own small state; absent: as it was. `null`: none any more. */
  readonly state?: S | null;
} /**
 * `goesOn`: the pass ends here only because a spec ends it after this write of the primary. The next pass's decision, on the
 * primary as written, may be taken at once and handed out behind it: the requests are the same, a delivery is saved.
 */ & (
  | { readonly type: 'done'; readonly goesOn?: boolean }
  | { readonly type: 'requeue-after'; readonly afterMs: number }
  | { readonly type: 'stale'; readonly expectation: OpenExpectation }
  | { readonly type: 'busy' }
  | { readonly type: 'retry'; readonly reason: string }
  | { readonly type: 'needs'; readonly needs: Needs }
);

/** An outcome that is a decision. */
export type Decision<S = unknown> = Exclude<Outcome<S>, { readonly type: 'needs' }>;
