type Strings = Readonly<Record<string, string>>;

/**
 * The target with the keys of the patterns as in the source, absent ones taken away; `undefined`: it is so already (vm.md 6.6,
 * vmi.md 8.5). A pattern is a key, or a prefix with `*` behind it; an empty one of either is ignored.
 */
export function synced(
  source: Strings | undefined,
  target: Strings | undefined,
  patterns: readonly string[],
): Record<string, string> | undefined {
  const result: Record<string, string> = { ...target };
  let changed = false;
  for (const key of keysOf(patterns, source ?? {}, result)) {
    const wanted = source?.[key];
    if (result[key] === wanted) continue;
    changed = true;
    if (wanted === undefined) delete result[key];
    else result[key] = wanted;
  }
  return changed ? result : undefined;
}

function keysOf(patterns: readonly string[], ...maps: readonly Strings[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const pattern of patterns) {
    if (!pattern.endsWith('*')) {
      if (pattern !== '') keys.add(pattern);
      continue;
    }
    const prefix = pattern.slice(0, -1);
    if (prefix === '') continue;
    for (const map of maps) for (const key of Object.keys(map)) if (key.startsWith(prefix)) keys.add(key);
  }
  return keys;
}
