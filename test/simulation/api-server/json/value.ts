/** JSON as the model holds it: what is stored is frozen, what is being made is not. */
export type Value = null | boolean | number | string | Value[] | Obj;

export interface Obj {
  [member: string]: Value | undefined;
}

export function isObj(value: unknown): value is Obj {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member at the end of a path of names; `undefined` as soon as there is none. */
export function at(value: Value | undefined, ...names: readonly string[]): Value | undefined {
  let found = value;
  for (const name of names) {
    if (!isObj(found)) return undefined;
    found = found[name];
  }
  return found;
}

export function textAt(value: Value | undefined, ...names: readonly string[]): string | undefined {
  const found = at(value, ...names);
  return typeof found === 'string' ? found : undefined;
}

/** What stands for a text: anything else as JSON. */
export function asText(value: Value | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

export function objAt(value: Value | undefined, ...names: readonly string[]): Obj | undefined {
  const found = at(value, ...names);
  return isObj(found) ? found : undefined;
}

/** The objects of a list; what is no object is passed over. */
export function objsAt(value: Value | undefined, ...names: readonly string[]): Obj[] {
  const found = at(value, ...names);
  return Array.isArray(found) ? found.filter(isObj) : [];
}

export function textsAt(value: Value | undefined, ...names: readonly string[]): string[] {
  const found = at(value, ...names);
  return Array.isArray(found) ? found.filter((v) => typeof v === 'string') : [];
}

/** A copy that shares nothing, as a trip over the wire makes one: members that are `undefined` vanish. */
export function copied(value: unknown): Value {
  if (Array.isArray(value)) return value.map((v) => (v === undefined ? null : copied(v)));
  if (typeof value === 'object' && value !== null) {
    const copy: Obj = {};
    for (const [name, v] of Object.entries(value)) if (v !== undefined) copy[name] = copied(v);
    return copy;
  }
  return value as Value;
}

/** Freezes all of it. What is frozen already is taken to be so to its leaves: the store shares parts between versions. */
export function frozen<T extends Value>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const v of Array.isArray(value) ? value : Object.values(value)) if (v !== undefined) frozen(v);
  return value;
}

/** Equality of JSON: the order of members does not count, one that is `undefined` counts as none. */
export function equal(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((v, i) => equal(v, b[i]));
  return !Array.isArray(b) && sameMembers(a, b);
}

function sameMembers(a: Obj, b: Obj): boolean {
  for (const name of Object.keys(a)) if (!equal(a[name], b[name])) return false;
  for (const name of Object.keys(b)) if (b[name] !== undefined && a[name] === undefined) return false;
  return true;
}
