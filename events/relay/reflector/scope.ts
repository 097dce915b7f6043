import type { Kind } from '../../../functions/core/kind.ts';

/** The part of a kind that is followed. */
export interface Scope {
  /** Absent: all of the cluster. */
  readonly namespace?: string;
  /** Query parameter; empty: everything. */
  readonly selector: string;
}

const selectors: Readonly<Record<string, string>> = {
  Pod: 'labelSelector=kubevirt.io',
  DaemonSet: 'labelSelector=kubevirt.io%3Dvirt-handler',
};

/** Query parameter that narrows a kind to what controllers look at (runtime.md 4.2); empty: all of it. */
export function selectorOf(kind: Kind): string {
  return selectors[kind.kind] ?? '';
}
