import type { Action } from '../../../functions/core/action.ts';

/** Stands between one answer's actions and the API server. */
export interface ActionGate {
  /** The action as it is to be applied, or why it is not. Actions are shown in their order. */
  admit<A extends Action>(action: A): Admission<A>;
  /** A message of the API server as others than the cluster may see it. */
  redact(message: string): string;
}

export type Admission<A extends Action> =
  | { readonly type: 'admitted'; readonly action: A }
  | { readonly type: 'refused'; readonly message: string };
