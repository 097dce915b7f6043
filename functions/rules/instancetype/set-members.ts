/** Members count as set by the types of the API: what vanishes from the written form (runtime.md 11.1) is not set. */

export function isPresent<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** For plain strings, numbers and booleans, lists and maps: zero values and empty ones are not set. */
export function isNonZero(value: unknown): boolean {
  if (!isPresent(value) || value === '' || value === 0 || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Sets a member that is not there; a copy of the value, so that drafts share nothing with what they are made from. */
export function fill<T extends object, K extends keyof T>(draft: T, member: K, value: T[K]): void {
  if (isPresent(value) && !isPresent(draft[member])) draft[member] = structuredClone(value);
}

/** The same for a member whose zero value counts as not there. */
export function fillZero<T extends object, K extends keyof T>(draft: T, member: K, value: T[K]): void {
  if (isNonZero(value) && !isNonZero(draft[member])) draft[member] = structuredClone(value);
}
