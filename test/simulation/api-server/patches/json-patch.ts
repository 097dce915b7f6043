/** RFC 6902, as the API server applies it. */
import { copied, equal, isObj, type Obj, type Value } from '../json/value.ts';
import { badRequest, unprocessable } from '../refusals.ts';

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: Value;
}

/** The target stays as it is. Throws `Refusal`: 400 for what is no patch, 422 for one that can't be applied. */
export function jsonPatched(target: Value, patch: Value): Value {
  if (!Array.isArray(patch)) throw badRequest('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  const root = { '': copied(target) };
  for (const operation of patch) apply(root, operationOf(operation));
  return root[''];
}

function operationOf(value: Value): Operation {
  if (!isObj(value)) throw badRequest('json: cannot unmarshal into Go value of type jsonpatch.Operation');
  const { op, path, from } = value;
  if (typeof op !== 'string' || typeof path !== 'string') throw unprocessable();
  return {
    op,
    path,
    ...(typeof from === 'string' ? { from } : {}),
    ...(value.value === undefined ? {} : { value: value.value }),
  };
}

function apply(root: Obj, { op, path, from, value }: Operation): void {
  switch (op) {
    case 'test':
      if (!equal(tested(root, path), value ?? null)) throw unprocessable();
      return;
    case 'add':
      return add(root, path, copied(value ?? null));
    case 'replace':
      return replace(root, path, copied(value ?? null));
    case 'remove':
      return remove(root, path);
    case 'copy':
    case 'move': {
      const found = from === undefined ? undefined : find(root, from);
      if (from === undefined || found === undefined) throw unprocessable();
      if (op === 'move') remove(root, from);
      return add(root, path, copied(found));
    }
    default:
      throw unprocessable();
  }
}

type Place =
  | { readonly type: 'member'; readonly of: Obj; readonly name: string }
  | { readonly type: 'item'; readonly of: Value[]; readonly index: number };

/** Where a pointer points, whether or not there is something; throws if its parent is not there. */
function placeOf(root: Obj, path: string): Place {
  const segments = path.split('/').map(unescaped);
  const last = segments.pop() ?? '';
  let parent: Value | undefined = root;
  for (const segment of segments) parent = childOf(parent, segment);
  if (Array.isArray(parent)) return { type: 'item', of: parent, index: indexOf(last, parent.length) };
  if (isObj(parent)) return { type: 'member', of: parent, name: last };
  throw unprocessable();
}

function childOf(parent: Value | undefined, segment: string): Value | undefined {
  if (Array.isArray(parent)) return parent[indexOf(segment, parent.length)];
  return isObj(parent) && Object.hasOwn(parent, segment) ? parent[segment] : undefined;
}

/** `-` is the place behind the last; negative ones count from the end. */
function indexOf(segment: string, length: number): number {
  if (segment === '-') return length;
  const index = Number(segment);
  if (!/^-?\d+$/.test(segment)) throw unprocessable();
  return index < 0 ? index + length : index;
}

function find(root: Obj, path: string): Value | undefined {
  let found: Value | undefined = root;
  for (const segment of path.split('/').map(unescaped)) found = childOf(found, segment);
  return found;
}

function add(root: Obj, path: string, value: Value): void {
  const place = placeOf(root, path);
  if (place.type === 'member') place.of[place.name] = value;
  else if (place.index < 0 || place.index > place.of.length) throw unprocessable();
  else place.of.splice(place.index, 0, value);
}

/** What is not there tests as null, if that where it would be is. */
function tested(root: Obj, path: string): Value {
  const place = placeOf(root, path);
  if (place.type === 'member') return place.of[place.name] ?? null;
  const item = place.of[place.index];
  if (item === undefined) throw unprocessable();
  return item;
}

/** Other than the standard says, a member need not be there. */
function replace(root: Obj, path: string, value: Value): void {
  const place = placeOf(root, path);
  if (place.type === 'item') requireThere(place);
  if (place.type === 'member') place.of[place.name] = value;
  else place.of[place.index] = value;
}

function remove(root: Obj, path: string): void {
  const place = placeOf(root, path);
  requireThere(place);
  if (place.type === 'member') delete place.of[place.name];
  else place.of.splice(place.index, 1);
}

function requireThere(place: Place): void {
  const there =
    place.type === 'member' ? Object.hasOwn(place.of, place.name) : place.index >= 0 && place.index < place.of.length;
  if (!there) throw unprocessable();
}

function unescaped(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
}
