import { isObj, type Obj, type Value } from '../json/value.ts';

/** RFC 7386, and nulls vanish from lists as well. Neither argument is changed; the result may share parts with them. */
export function mergePatched(target: Value | undefined, patch: Value): Value {
  if (!isObj(patch)) return isObj(target) ? patch : withoutNulls(patch);
  const made: Obj = isObj(target) ? { ...target } : {};
  for (const [name, v] of Object.entries(patch)) {
    if (v === null) delete made[name];
    else if (v !== undefined) made[name] = mergePatched(made[name], v);
  }
  return made;
}

function withoutNulls(value: Value): Value {
  if (Array.isArray(value)) return value.filter((v) => v !== null).map(withoutNulls);
  return isObj(value) ? mergePatched(undefined, value) : value;
}
