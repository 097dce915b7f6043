/**
 * A JSON value with its texts replaced, each told under which member it stands (those of a list under the list's member). What
 * does not change is shared with the original, up to the whole.
 */
export function mapTexts(value: unknown, member: string, replace: (text: string, member: string) => string): unknown {
  if (typeof value === 'string') return replace(value, member);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let changed: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const mapped = mapTexts(value[i], member, replace);
      if (mapped === value[i]) continue;
      changed ??= [...(value as unknown[])];
      changed[i] = mapped;
    }
    return changed ?? value;
  }
  const record = value as Readonly<Record<string, unknown>>;
  let changed: Map<string, unknown> | undefined;
  for (const name of Object.keys(record)) {
    const mapped = mapTexts(record[name], name, replace);
    if (mapped === record[name]) continue;
    changed ??= new Map(Object.entries(record));
    changed.set(name, mapped);
  }
  return changed === undefined ? value : Object.fromEntries(changed);
}
