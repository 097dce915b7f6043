import { setImmediate as othersTurn } from 'node:timers/promises';

/** How a function lets time pass. */
export interface Timers {
  /** Runs something later; returns what prevents that. */
  after(ms: number, run: () => void): () => void;
  /** Lets everything else run that can. */
  turn(): Promise<void>;
}

export const systemTimers: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  turn: () => othersTurn(),
};
