/** Why a part of a rendered pod is as it is: made by the function that makes the part, for people (`npm run plan`). */
export interface Reason {
  /** Members of the pod from its root on; entries of lists by their `name`. */
  readonly path: readonly string[];
  /** Lines; none of them ends with a full stop. */
  readonly because: readonly string[];
}

export function reason(path: readonly string[], ...because: readonly string[]): Reason {
  return { path, because };
}

/** A value with its reason, where the place in the pod is not known yet. */
export interface Reasoned<T> {
  readonly value: T;
  readonly because: readonly string[];
}
