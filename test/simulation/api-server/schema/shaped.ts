/** Brings a custom resource into the shape of its schema: unknown fields vanish, nulls that mean nothing too, defaults appear. */
import { copied, isObj, type Obj, type Value } from '../json/value.ts';
import type { Schema } from './schema.ts';

/** A copy in the schema's shape. What has another type than the schema says stays as it is, for validation to refuse. */
export function shaped(value: Value, schema: Schema): Value {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? copied(value) : value.map((v) => shaped(v, items));
  }
  return isObj(value) ? shapedMembers(value, schema) : value;
}

/** `skip`: members that are none of the schema's business, such as an object's metadata. */
export function shapedMembers(value: Obj, schema: Schema, skip: ReadonlySet<string> = NONE): Obj {
  const { properties, additionalProperties } = schema;
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const made: Obj = {};
  for (const [name, v] of Object.entries(value)) {
    if (v === undefined || skip.has(name)) continue;
    const known = properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    if (known !== undefined) {
      if (v !== null || known.nullable === true) made[name] = shaped(v, known);
    } else if (keepsUnknown || additionalProperties === true) made[name] = copied(v);
  }
  if (properties !== undefined) addDefaults(made, properties, skip);
  return made;
}

function addDefaults(made: Obj, properties: Readonly<Record<string, Schema>>, skip: ReadonlySet<string>): void {
  for (const [name, schema] of defaulted(properties)) {
    if (made[name] !== undefined || skip.has(name) || schema.default === undefined) continue;
    made[name] = shaped(schema.default, schema);
  }
}

const NONE: ReadonlySet<string> = new Set();
const withDefaults = new WeakMap<object, readonly (readonly [string, Schema])[]>();

/** The few members that have defaults: schemas are wide, and every write comes by here. */
function defaulted(properties: Readonly<Record<string, Schema>>): readonly (readonly [string, Schema])[] {
  let found = withDefaults.get(properties);
  if (found === undefined) {
    found = Object.entries(properties).filter(([, schema]) => schema.default !== undefined);
    withDefaults.set(properties, found);
  }
  return found;
}
