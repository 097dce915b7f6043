import type { Kind } from '../../../functions/core/kind.ts';

/** Query parameter that narrows a kind to what controllers look at (runtime.md 4.2); empty: all of it. */
export function selectorOf(kind: Kind): string {
  return kind.kind === 'Pod' ? 'labelSelector=kubevirt.io' : '';
}
