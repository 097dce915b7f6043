import type { Target } from './profile.ts';
import { type Matched, matchedKind, matcherOf, sides } from './side.ts';

/** A VMI's annotations that say what was applied to it (vm.md 10.6, last paragraph); they replace others of their names. */
export function withAppliedNames<T extends Target>(target: T, vm: Pick<Matched, 'spec'>): T {
  const names = sides.flatMap((side) => {
    const matcher = matcherOf(side, vm);
    const kind = matcher === undefined ? undefined : matchedKind(side, matcher);
    if (matcher === undefined || kind === undefined) return [];
    return [[side.annotations[kind.namespaced ? 'namespaced' : 'cluster'], matcher.name ?? '']];
  });
  if (names.length === 0) return target;
  const annotations = { ...target.metadata?.annotations, ...Object.fromEntries(names) };
  return { ...target, metadata: { ...target.metadata, annotations } };
}
