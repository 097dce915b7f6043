import type { ActionResult } from '../../../functions/core/action.ts';

/** What the relay remembers of a key between deliveries; lost at a restart without harm. */
export interface KeyMemory {
  /** Deliveries without an answer, since the last answer. */
  unanswered: number;
  /** Races lost one after another. */
  conflicts: number;
  /** Answers of which an action failed, one after another. */
  failures: number;
  /** What became of the last answer's actions, until a function has been told. */
  results: readonly ActionResult[];
}

export class KeyMemories {
  readonly #byKey = new Map<string, KeyMemory>();

  of(key: string): KeyMemory {
    return this.#byKey.get(key) ?? { unanswered: 0, conflicts: 0, failures: 0, results: [] };
  }

  /** A function has answered: it knows the results. */
  answered(key: string): void {
    const memory = this.#byKey.get(key);
    if (memory === undefined) return;
    if (memory.conflicts === 0 && memory.failures === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, { ...memory, unanswered: 0, results: [] });
  }

  /** A function has answered, but has not looked: the results are kept for it. */
  postponed(key: string): void {
    const memory = this.#byKey.get(key);
    if (memory !== undefined) this.#byKey.set(key, { ...memory, unanswered: 0 });
  }

  unanswered(key: string): number {
    const memory = this.of(key);
    this.#byKey.set(key, { ...memory, unanswered: memory.unanswered + 1 });
    return memory.unanswered + 1;
  }

  /** Keeps results for the next delivery; says how many races and actions have failed the key in a row. */
  learnt(key: string, results: readonly ActionResult[], lostRace: boolean): Pick<KeyMemory, 'conflicts' | 'failures'> {
    const before = this.of(key);
    const conflicts = lostRace ? before.conflicts + 1 : 0;
    const failures = results.some((r) => r.status === 'failed') ? before.failures + 1 : 0;
    if (results.length > 0 || conflicts > 0) this.#byKey.set(key, { unanswered: 0, conflicts, failures, results });
    else this.#byKey.delete(key);
    return { conflicts, failures };
  }
}
