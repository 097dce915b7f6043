import type { Kind } from '../../core/kind.ts';
import { keyFor } from '../../core/object-index.ts';
import type { ControllerRevision } from '../../core/objects.ts';
import { holdsObjectNamed } from './revision-labels.ts';
import { type Matched, matchedKind, matcherOf, refOf, revisionNameIn, type Side, sides } from './side.ts';
import { syncedRef } from './status-ref.ts';

/** Keys of the revisions that spec and status name (vm.md 10.3, steps 1 and 2). */
export function namedRevisionKeys(vm: Matched): readonly string[] {
  return sides
    .flatMap((side) => [matcherOf(side, vm)?.revisionName, revisionNameIn(refOf(side, vm))])
    .flatMap((name) => (name ? [keyFor(vm.metadata.namespace, name)] : []));
}

/**
 * Keys of the objects of one kind that the VM needs beside these revisions, to apply them or to store them (vm.md 10.3, step 3;
 * 10.2, step 4). What a stored revision answers is not looked for: later changes of the object are none of the VM's business.
 */
export function soughtObjectKeys(kind: Kind, vm: Matched, revisions: readonly ControllerRevision[]): readonly string[] {
  return sides.flatMap((side) => {
    const matcher = matcherOf(side, vm);
    if (!matcher?.name || matchedKind(side, matcher)?.kind !== kind.kind) return [];
    if (!needsObject(side, vm, revisions)) return [];
    return [keyFor(kind.namespaced ? vm.metadata.namespace : undefined, matcher.name)];
  });
}

function needsObject(side: Side, vm: Matched, revisions: readonly ControllerRevision[]): boolean {
  const matcher = matcherOf(side, vm) ?? {};
  if (matcher.revisionName) return false;
  const ref = refOf(side, vm);
  if (revisionNameIn(syncedRef(matcher, ref)) === undefined) return true;
  const stored = revisions.find((r) => r.metadata.name === revisionNameIn(ref));
  return stored !== undefined && !holdsObjectNamed(stored, matcher.name);
}
