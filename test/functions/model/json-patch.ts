import type { JsonPatchOperation } from '../../../functions/core/action.ts';

/** Thrown for a test that does not hold, and for a path that leads nowhere. */
export class PatchError extends Error {}

/** Applies a JSON patch as the API server does: `test` of `null` holds for an absent member, `replace` sets an absent one. */
export function applyJsonPatch<T>(document: T, operations: readonly JsonPatchOperation[]): T {
  const result: unknown = structuredClone(document);
  for (const operation of operations) applyOperation(result, operation);
  return result as T;
}

function applyOperation(document: unknown, { op, path, value }: JsonPatchOperation): void {
  const segments = path.split('/').slice(1);
  const last = unescape(segments.pop() ?? '');
  const parent = segments.reduce<unknown>((node, s) => memberOf(node, unescape(s)), document);
  if (typeof parent !== 'object' || parent === null) throw new PatchError(`${op} ${path}: no parent`);
  const holder = parent as Record<string, unknown>;
  switch (op) {
    case 'test':
      if (!isSame(holder[last] ?? null, value ?? null)) throw new PatchError(`test ${path} does not hold`);
      return;
    case 'remove':
      if (!Object.hasOwn(holder, last)) throw new PatchError(`remove ${path}: absent`);
      if (Array.isArray(holder)) holder.splice(Number(last), 1);
      else delete holder[last];
      return;
    case 'add':
      if (Array.isArray(holder)) holder.splice(last === '-' ? holder.length : Number(last), 0, value);
      else holder[last] = structuredClone(value);
      return;
    case 'replace':
      holder[last] = structuredClone(value);
  }
}

/** RFC 7386. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return structuredClone(patch);
  const result: Record<string, unknown> = isRecord(target) ? structuredClone(target) : {};
  for (const [k, v] of Object.entries(patch)) {
    if (v === null) delete result[k];
    else result[k] = applyMergePatch(result[k], v);
  }
  return result;
}

/** Equality of JSON values; the order of members does not count. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((x, i) => isSame(x, b[i]));
  }
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((k) => isSame(a[k], b[k]));
}

function memberOf(node: unknown, segment: string): unknown {
  return typeof node === 'object' && node !== null ? (node as Record<string, unknown>)[segment] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unescape(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
