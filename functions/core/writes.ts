import type { Call } from './action.ts';
import type { Kind } from './kind.ts';

/** Verbs as RBAC names them. A PUT of the main resource or of `/status` is `update`. */
export type WriteVerb = 'create' | 'update' | 'patch' | 'delete';

/** What a controller may do with objects of one kind, or with a subresource of theirs. */
export interface WriteRule {
  readonly kind: Kind;
  /** A call is an `update` under the group `subresources.kubevirt.io`; it has no fields. */
  readonly subresource?: 'status' | Call;
  readonly verbs: readonly WriteVerb[];
  /**
   * What updates and patches may change: JSON pointers, each with all that lies below it; a segment that ends in `*`
   * stands for any one that begins with what stands before it.
   * Absent: nothing.
   */
  readonly fields?: readonly string[];
}

/**
 * All that a controller may write (design: "Allow list"), as data: the relay refuses what is not in it, and the relay's roles in
 * a cluster are made from it. Events about what a controller has in its snapshot need no rule.
 */
export interface Writes {
  /** The controller's name. */
  readonly controller: string;
  readonly rules: readonly WriteRule[];
}

export function defineWrites(controller: string, rules: readonly WriteRule[]): Writes {
  return { controller, rules };
}
