import { type Timer, TimerQueue } from './timer-queue.ts';

/** When simulated worlds begin. */
export const BEGIN_MS = Date.parse('2026-12-01T00:00:00Z');

/**
 * The one clock of a simulated world. Time stands still while anything computes, and then jumps to the next timer: an hour in
 * which nothing happens costs nothing.
 */
export class VirtualTime {
  /** Milliseconds since the epoch. */
  now = BEGIN_MS;
  #computing = 0;
  readonly #timers = new TimerQueue();

  /** Runs something after that time; returns what prevents it. What is due at one time runs in the order in which it was asked for. */
  after(ms: number, run: () => void): () => void {
    return this.#timers.add(this.now + Math.max(0, Math.ceil(ms)), run);
  }

  /** Runs something again and again, the first time after that time. */
  every(ms: number, run: () => void): void {
    this.after(ms, () => {
      run();
      this.every(ms, run);
    });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve));
  }

  /** Says that something computes that does not wait for virtual time; it ends with the call of what is returned. */
  computing(): () => void {
    this.#computing++;
    let over = false;
    return () => {
      if (!over) this.#computing--;
      over = true;
    };
  }

  /** Lets everything run that can without time passing, then whatever is due next. `false`: nothing is left to wait for. */
  async step(): Promise<boolean> {
    do await turn();
    while (this.#computing > 0);
    const first = this.#timers.take();
    if (first === undefined) return false;
    this.now = first.at;
    for (let due: Timer | undefined = first; due !== undefined; due = this.#timers.take(this.now)) due.run();
    return true;
  }

  /** Steps until the promise is settled, and gives what it gives. Throws when nothing is left that could settle it. */
  async drive<T>(promise: Promise<T>): Promise<T> {
    const state = { settled: false };
    const mark = () => {
      state.settled = true;
    };
    promise.then(mark, mark);
    await turn();
    while (!state.settled)
      if (!(await this.step()) && !state.settled) throw new Error('everything waits, nothing is due');
    return promise;
  }
}

/** Every microtask is done when this resolves. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
