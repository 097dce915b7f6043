/**
 * Whether what is there is what was wanted, and where not. Values that two processes can't choose alike count as equal: times, and
 * those that are drawn (VSOCK ids, firmware's uuids where nobody gives one).
 */
import type { Path } from '../allow-list/changed-paths.ts';

const DRAWN: ReadonlySet<string> = new Set(['VSOCKCID', 'uuid', 'serial']);

/** How the two are compared: `all` of it, or only what was wanted, as others (the API server, admission) may add to it. */
export type Extent = 'all' | 'wanted';

/** Paths at which they differ; `null` and absent are the same. */
export function differences(wanted: unknown, actual: unknown, extent: Extent, at: Path = []): Path[] {
  if (wanted === actual || isAbsent(wanted))
    return extent === 'all' && isAbsent(wanted) && !isAbsent(actual) ? [at] : [];
  if (typeof wanted === 'string' && typeof actual === 'string') {
    const isDrawn = DRAWN.has(at.at(-1) ?? '');
    return isDrawn || (isTime(wanted) && isTime(actual)) ? [] : [at];
  }
  if (typeof wanted === 'number' && typeof actual === 'number') return DRAWN.has(at.at(-1) ?? '') ? [] : [at];
  if (Array.isArray(wanted)) return Array.isArray(actual) ? ofLists(wanted, actual, extent, at) : [at];
  if (isObject(wanted) && isObject(actual) && !Array.isArray(actual)) {
    const names = new Set([...Object.keys(wanted), ...(extent === 'all' ? Object.keys(actual) : [])]);
    return [...names].flatMap((name) => differences(wanted[name], actual[name], extent, [...at, name]));
  }
  return [at];
}

/** Elements are told apart by `name` or `type`, as Kubernetes does; those without one must be there somewhere. */
function ofLists(wanted: readonly unknown[], actual: readonly unknown[], extent: Extent, at: Path): Path[] {
  if (extent === 'all' && wanted.length !== actual.length) return [at];
  return wanted.flatMap((element, i) => {
    const key = keyOf(element);
    if (key === undefined)
      return actual.some((other) => differences(element, other, extent).length === 0) ? [] : [[...at, String(i)]];
    const same = actual.find((other) => keyOf(other) === key);
    return same === undefined ? [[...at, key]] : differences(element, same, extent, [...at, key]);
  });
}

function keyOf(element: unknown): string | undefined {
  if (!isObject(element)) return undefined;
  const key = element['name'] ?? element['type'];
  return typeof key === 'string' ? key : undefined;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
}
