/** Leaves out members whose value is `undefined`, so that a rendered pod holds only what it says. */
export function present<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

/** The list, or `undefined` where it is empty: absent and empty are written alike. */
export function unlessEmpty<T>(list: readonly T[]): T[] | undefined {
  return list.length === 0 ? undefined : [...list];
}

/** The text, or `undefined` where it is missing or empty. */
export function unlessBlank(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
