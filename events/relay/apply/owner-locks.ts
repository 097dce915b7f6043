/** Runs pieces of work that concern one owner one after another: a check of absence and the creation that rests on it. */
export class OwnerLocks {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(owner);
    const mine = (before ?? Promise.resolve()).then(work, work);
    const settled = mine.catch(() => undefined);
    this.#last.set(owner, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(owner) === settled) this.#last.delete(owner);
    }
  }
}
