import type { Timers } from './timers.ts';

/** A moment after which waiting makes no sense any more. */
export interface TimeLimit {
  readonly passed: boolean;
  /** What the promise gives, or `late` if the moment comes before. The promise goes on, and its failure is taken care of. */
  race<T, L>(promise: Promise<T>, late: L): Promise<T | L>;
  /** Ends the timer. */
  release(): void;
}

export function timeLimit(afterMs: number, timers: Timers): TimeLimit {
  const state = { passed: afterMs <= 0 };
  const { promise: moment, resolve } = Promise.withResolvers<void>();
  const release = timers.after(Math.max(0, afterMs), () => {
    state.passed = true;
    resolve();
  });
  return {
    get passed() {
      return state.passed;
    },
    race(promise, late) {
      promise.catch(() => undefined);
      return Promise.race([promise, moment.then(() => late)]);
    },
    release,
  };
}
