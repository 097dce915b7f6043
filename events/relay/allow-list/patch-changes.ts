/** What a patch changes. */
import type { JsonPatchOperation, PatchBody } from '../../../functions/core/action.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { changedPaths, type Path } from './changed-paths.ts';
import { pathOf } from './field-list.ts';

/**
 * A JSON patch often replaces a map whole to change one key; so what counts is how the object differs afterwards from what the
 * function was shown. The two other types name what they touch, changed or not.
 */
export function patchChanges(before: KubeObject, patch: PatchBody): Path[] {
  return patch.type === 'json'
    ? changedPaths(before, patched(before, patch.operations))
    : touched(patch.body, [], patch.type);
}

/**
 * The object after the patch, if its tests hold; they are the API server's to judge. A path that leads through something absent
 * or through a scalar gets objects on its way: such a patch will be refused, and where it leads is all that matters here.
 */
export function patched(before: KubeObject, operations: readonly JsonPatchOperation[]): unknown {
  return operations.reduce<unknown>(
    (object, operation) => (operation.op === 'test' ? object : applied(object, pathOf(operation.path), operation)),
    before,
  );
}

function applied(at: unknown, path: Path, operation: JsonPatchOperation): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return operation.op === 'remove' ? undefined : operation.value;
  if (Array.isArray(at)) return appliedToList(at, segment, rest, operation);
  const members = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>) : {};
  const old = Object.hasOwn(members, segment) ? members[segment] : undefined;
  return Object.fromEntries([...Object.entries(members), [segment, applied(old, rest, operation)]]);
}

function appliedToList(
  list: readonly unknown[],
  segment: string,
  rest: Path,
  operation: JsonPatchOperation,
): readonly unknown[] {
  const index = segment === '-' ? list.length : Number(segment);
  if (rest.length > 0) return list.with(Math.min(index, list.length - 1), applied(list[index], rest, operation));
  switch (operation.op) {
    case 'remove':
      return list.toSpliced(index, 1);
    case 'add':
      return list.toSpliced(index, 0, operation.value);
    case 'replace':
    case 'test':
      return list.toSpliced(index, 1, operation.value);
  }
}

/** The members at which a merge patch ends. Directives of a strategic one count as the member that they are about. */
function touched(body: unknown, at: Path, type: 'merge' | 'strategic'): Path[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [at];
  const entries = Object.entries(body);
  if (entries.length === 0) return [at];
  return entries.flatMap(([name, value]) => {
    if (type === 'merge' || !name.startsWith('$')) return touched(value, [...at, name], type);
    const about = /^\$(?:setElementOrder|deleteFromPrimitiveList)\/(.+)$/.exec(name)?.[1];
    return [about === undefined ? at : [...at, about]];
  });
}
