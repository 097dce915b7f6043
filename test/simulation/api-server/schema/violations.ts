/** What of a custom resource breaks its schema, as the causes of a 422. */
import { equal, isObj, type Obj, type Value } from '../json/value.ts';
import type { StatusCause } from '../ports.ts';
import { cause } from '../refusals.ts';
import type { Schema } from './schema.ts';

export function violations(value: Value, schema: Schema, path: string, found: StatusCause[] = []): StatusCause[] {
  if (value === null && schema.nullable === true) return found;
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (typeof value !== 'string' && !Number.isInteger(value)) found.push(mistyped(path, value, 'integer,string'));
    else if (typeof value === 'string') checkText(value, schema, path, found);
    return found;
  }
  if (schema.type !== undefined && !hasType(value, schema.type)) {
    found.push(mistyped(path, value, schema.type));
    return found;
  }
  if (schema.enum !== undefined && !schema.enum.some((v) => equal(v, value)))
    found.push(cause.notSupported(path, value, schema.enum.map(String)));
  if (typeof value === 'string') checkText(value, schema, path, found);
  else if (typeof value === 'number') checkNumber(value, schema, path, found);
  else if (Array.isArray(value)) checkList(value, schema, path, found);
  else if (isObj(value)) checkMembers(value, schema, path, found);
  return found;
}

function checkMembers(value: Obj, schema: Schema, path: string, found: StatusCause[]): void {
  for (const name of schema.required ?? []) if (value[name] === undefined) found.push(cause.required(join(path, name)));
  const { properties, additionalProperties } = schema;
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  if (properties === undefined && others === undefined) return;
  for (const [name, v] of Object.entries(value)) {
    const known = properties?.[name] ?? others;
    if (known !== undefined && v !== undefined) violations(v, known, join(path, name), found);
  }
}

function checkList(value: readonly Value[], schema: Schema, path: string, found: StatusCause[]): void {
  const { items, maxItems, minItems } = schema;
  if (maxItems !== undefined && value.length > maxItems)
    found.push({
      reason: 'FieldValueTooMany',
      message: `Too many: ${value.length}: must have at most ${maxItems} items`,
      field: path,
    });
  if (minItems !== undefined && value.length < minItems)
    found.push(cause.invalid(path, value.length, `${path} in body should have at least ${minItems} items`));
  if (items !== undefined) value.forEach((v, i) => violations(v, items, `${path}[${i}]`, found));
  checkUnique(value, schema, path, found);
}

/** Lists that are sets or maps hold each item, by its keys, once. */
function checkUnique(value: readonly Value[], schema: Schema, path: string, found: StatusCause[]): void {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  value.forEach((v, i) => {
    const key = listType === 'set' ? v : isObj(v) ? Object.fromEntries(keys.map((k) => [k, v[k]])) : null;
    const text = JSON.stringify(key);
    if (seen.has(text)) found.push(cause.duplicate(`${path}[${i}]`, key));
    seen.add(text);
  });
}

function checkText(value: string, schema: Schema, path: string, found: StatusCause[]): void {
  if (schema.pattern !== undefined && !patternOf(schema.pattern).test(value))
    found.push(cause.invalid(path, value, `${path} in body should match '${schema.pattern}'`));
  if (schema.maxLength !== undefined && value.length > schema.maxLength)
    found.push({
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${schema.maxLength} bytes`,
      field: path,
    });
  if (schema.minLength !== undefined && value.length < schema.minLength)
    found.push(cause.invalid(path, value, `${path} in body should be at least ${schema.minLength} chars long`));
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(value)))
    found.push(cause.invalid(path, value, `${path} in body must be of type date-time: ${JSON.stringify(value)}`));
}

function checkNumber(value: number, schema: Schema, path: string, found: StatusCause[]): void {
  if (schema.minimum !== undefined && value < schema.minimum)
    found.push(cause.invalid(path, value, `${path} in body should be greater than or equal to ${schema.minimum}`));
  if (schema.maximum !== undefined && value > schema.maximum)
    found.push(cause.invalid(path, value, `${path} in body should be less than or equal to ${schema.maximum}`));
}

function hasType(value: Value, type: string): boolean {
  switch (type) {
    case 'object':
      return isObj(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** The value of such a cause is the name of the type found. */
function mistyped(path: string, value: Value, wanted: string): StatusCause {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : numberless(value);
  const message = `Invalid value: "${type}": ${path} in body must be of type ${wanted}: "${type}"`;
  return { reason: 'FieldValueTypeInvalid', message, field: path };
}

function numberless(value: Value): string {
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

const patterns = new Map<string, RegExp>();

function patternOf(text: string): RegExp {
  let pattern = patterns.get(text);
  if (pattern === undefined) {
    pattern = new RegExp(text, 'u');
    patterns.set(text, pattern);
  }
  return pattern;
}
