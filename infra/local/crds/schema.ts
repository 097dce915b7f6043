/**
 * Builders for lean schemas: they say what must be there and of what type, and keep every field that they do not know.
 * So obviously broken input is refused, and a newer KubeVirt's fields survive.
 */
export type JsonSchema = Readonly<Record<string, unknown>>;

const keepUnknown = { 'x-kubernetes-preserve-unknown-fields': true };

export const text: JsonSchema = { type: 'string' };
export const bool: JsonSchema = { type: 'boolean' };
export const integer: JsonSchema = { type: 'integer' };

/** An object with these fields among others. */
export function object(
  properties: Readonly<Record<string, JsonSchema>> = {},
  required: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    ...keepUnknown,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

export function listOf(items: JsonSchema, maxItems?: number): JsonSchema {
  return { type: 'array', items, ...(maxItems === undefined ? {} : { maxItems }) };
}

/** A list of objects that each have a name. */
export function named(properties: Readonly<Record<string, JsonSchema>> = {}, maxItems?: number): JsonSchema {
  return listOf(object({ name: text, ...properties }, ['name']), maxItems);
}

/** The `metadata` of an embedded object; the API server's own checks of metadata do not reach it. */
export const embeddedMetadata: JsonSchema = { ...object(), nullable: true };

export const conditions: JsonSchema = listOf(object({ type: text, status: text }, ['type', 'status']));
