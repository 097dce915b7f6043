/** Where two JSON values differ, as paths of member names. */

export type Path = readonly string[];

/**
 * The paths at which `b` differs from `a`, as deep as objects go; lists are taken whole. An object that is there on one side only
 * differs at its members, an empty one at itself.
 */
export function changedPaths(a: unknown, b: unknown, at: Path = []): Path[] {
  if (a === b) return [];
  const [before, after] = [membersOf(a), membersOf(b)];
  if (before !== undefined && after !== undefined) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    const both = a !== undefined && b !== undefined;
    if (both || names.size > 0)
      return [...names].flatMap((name) => changedPaths(own(before, name), own(after, name), [...at, name]));
  }
  if (Array.isArray(a) && Array.isArray(b) && isSameList(a, b)) return [];
  return [at];
}

/** The value at a path; `undefined` where it leads nowhere. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((v, name) => (v === undefined ? undefined : own(membersOf(v) ?? {}, name)), value);
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((x, i) => changedPaths(x, b[i]).length === 0);
}

/** Of an object; an absent one has none. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, unknown>>;
}

function own(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
