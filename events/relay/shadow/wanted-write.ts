import type { ObjectRef } from '../../../functions/core/action.ts';
import type { Effect } from './effect.ts';

/** A write that the shadow would have made. */
export interface WantedWrite {
  readonly controller: string;
  readonly key: string;
  /** The action's. */
  readonly id: string;
  readonly verb: string;
  readonly target: ObjectRef;
  readonly effect: Effect;
}

/**
 * What became of it.
 *
 * - `agreed`: the leader did the same.
 * - `different`: it did something else in its place.
 * - `missing`: it did nothing, in all the time that it was given.
 * - `dropped`: the shadow itself did not want it any more before that.
 */
export type Judgement = 'agreed' | 'different' | 'missing' | 'dropped';

/** A disagreement, told without any value: paths only. */
export interface Difference {
  readonly controller: string;
  readonly key: string;
  readonly id: string;
  readonly verb: string;
  readonly target: ObjectRef;
  readonly judgement: 'different' | 'missing';
  /** JSON pointers at which things are otherwise than wanted. */
  readonly paths: readonly string[];
  /** RFC 3339. */
  readonly since: string;
  /** Whether the shadow wants the write still. */
  readonly standing: boolean;
}
