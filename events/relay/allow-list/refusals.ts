/** Which rule of the allow list an action broke. */
export type RefusalRule =
  /** Kind, subresource or verb that the controller does not declare. */
  | 'verb'
  /** An object that was not in the snapshot. */
  | 'object'
  /** A new object whose owner was not in the snapshot. */
  | 'owner'
  /** A field that the controller does not declare. */
  | 'field'
  /** A pod with more rights than a launcher's. */
  | 'pod'
  /** A precondition about a kind that the controller does not read. */
  | 'precondition'
  /** A sealed text where it does not belong. */
  | 'seal';

export interface RefusalCount {
  readonly controller: string;
  readonly rule: RefusalRule;
  readonly count: number;
}

/** How many actions were refused since the start; for metrics. */
export class Refusals {
  readonly #counts = new Map<string, RefusalCount>();

  count(controller: string, rule: RefusalRule): void {
    const key = `${controller}/${rule}`;
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { controller, rule, count });
  }

  get counts(): readonly RefusalCount[] {
    return [...this.#counts.values()];
  }
}
