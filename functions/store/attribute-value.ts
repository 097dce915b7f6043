/**
 * JSON values as DynamoDB attributes and back. Only what JSON has: no sets, no binary, no numbers beyond a double.
 */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined };

export type Item = Record<string, AttributeValue>;

/** Members that are `undefined` are left out, as JSON does. */
export function toAttribute(value: Json): AttributeValue {
  if (value === null) return { NULL: true };
  if (typeof value === 'boolean') return { BOOL: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'string') return { S: value };
  return isArray(value) ? { L: value.map(toAttribute) } : { M: toItem(value) };
}

export function toItem(value: { readonly [name: string]: Json | undefined }): Item {
  // Not by assignment, for which a member called __proto__ would be none.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, toAttribute(member)]])),
  );
}

/** Throws on types that `toAttribute` does not make. */
export function fromAttribute(attribute: AttributeValue): Json {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return Number(attribute.N);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.NULL !== undefined) return null;
  if (attribute.L !== undefined) return attribute.L.map(fromAttribute);
  if (attribute.M !== undefined) return fromItem(attribute.M);
  throw new Error(`unexpected attribute type ${Object.keys(attribute).join()}`);
}

export function fromItem(item: Item): { readonly [name: string]: Json } {
  return Object.fromEntries(Object.entries(item).map(([name, attribute]) => [name, fromAttribute(attribute)]));
}

// Array.isArray does not narrow readonly arrays.
function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
