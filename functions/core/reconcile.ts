import type { Context } from './context.ts';
import type { Controller, SnapshotOf } from './controller.ts';
import type { Outcome } from './outcome.ts';

/**
 * A controller's decision: pure, so the same snapshot, state and context always give the same outcome. A thrown error is a
 * defect of the controller; the pass counts as failed and the key backs off.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- any controller will do
export type Reconcile<C extends Controller<any, any>, S = never> = (
  snapshot: SnapshotOf<C>,
  state: S | undefined,
  context: Context,
) => Outcome<S>;
