import type { Matcher, StatusRef } from './side.ts';

/**
 * A VM's status reference after its matcher (vm.md 10.2, steps 1 to 3). One without `controllerRevisionRef` asks for a revision.
 */
export function syncedRef(matcher: Matcher, old: StatusRef | undefined): StatusRef {
  const { controllerRevisionRef, ...ref } = { ...old };
  const identity = (['name', 'kind', 'inferFromVolume'] as const).filter(
    (member) => matcher[member] && matcher[member] !== ref[member],
  );
  for (const member of identity) ref[member] = matcher[member];
  const policy = matcher.inferFromVolumeFailurePolicy;
  if (policy) ref.inferFromVolumeFailurePolicy = policy;
  const kept = identity.length === 0 ? controllerRevisionRef : undefined;
  const revision = matcher.revisionName ? { name: matcher.revisionName } : kept;
  return revision === undefined || revision === null ? ref : { ...ref, controllerRevisionRef: revision };
}
