/**
 * Bodies of answers as JSON. The model's objects are frozen and shared, so that each is written out once, however many lists and
 * answers it is in.
 */
const written = new WeakMap<object, string>();

export function encodedBody(body: unknown, path: string): string {
  if (typeof body !== 'object' || body === null) return JSON.stringify(body) ?? '';
  const shown = path.includes('/customresourcedefinitions') ? withoutSchemas(body) : body;
  const { items, ...rest } = shown as { readonly items?: readonly object[] };
  if (!Array.isArray(items)) return writtenOut(shown);
  return `${JSON.stringify(rest).slice(0, -1)},"items":[${items.map(writtenOut).join(',')}]}`;
}

function writtenOut(object: object): string {
  const known = written.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify(object);
  if (Object.isFrozen(object)) written.set(object, text);
  return text;
}

interface Definition {
  readonly spec?: { readonly versions?: readonly object[] };
  readonly items?: readonly Definition[];
}

const lean = new WeakMap<object, Definition>();

/** Schemas are most of a world's bytes, and nobody reads them over the wire. */
function withoutSchemas(body: Definition): Definition {
  if (Array.isArray(body.items)) return { ...body, items: body.items.map(withoutSchemas) };
  const known = lean.get(body);
  if (known !== undefined || body.spec === undefined) return known ?? body;
  const versions = (body.spec.versions ?? []).map((version) => ({ ...version, schema: undefined }));
  const made = Object.freeze({ ...body, spec: { ...body.spec, versions } });
  lean.set(body, made);
  return made;
}
