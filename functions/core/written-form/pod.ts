import type { KubeObject } from '../objects.ts';
import { canonicalQuantity } from '../quantity/quantity.ts';

const MAPS: ReadonlySet<string> = new Set([
  'labels',
  'annotations',
  'nodeSelector',
  'matchLabels',
  'limits',
  'requests',
]);
const QUANTITY_MAPS: ReadonlySet<string> = new Set(['limits', 'requests']);
const QUANTITIES: ReadonlySet<string> = new Set(['sizeLimit', 'divisor']);

/**
 * A pod in its written form. Pods are made by this project, not by users, and the API server has their types: so without
 * a table, empty strings, lists and maps vanish (rule 1 of runtime.md 11.1) and quantities are canonical (rule 4).
 * Numbers and booleans stay as they were set.
 */
export function writtenPod(pod: KubeObject): KubeObject {
  return object(pod);
}

function object<T extends object>(value: T): T {
  const written: Record<string, unknown> = {};
  for (const [name, v] of Object.entries(value)) {
    const w = member(name, v);
    if (w !== undefined) written[name] = w;
  }
  return written as T;
}

function member(name: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined;
  if (QUANTITIES.has(name)) return quantity(value);
  if (MAPS.has(name)) return map(name, value);
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((v) => (isObject(v) ? object(v) : v));
  return isObject(value) ? object(value) : value;
}

function map(name: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([k, v]) => [k, QUANTITY_MAPS.has(name) ? quantity(v) : v]));
}

function quantity(value: unknown): unknown {
  return typeof value === 'string' || typeof value === 'number' ? canonicalQuantity(String(value)) : value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
