import type { Log, Ports } from '../../../../events/relay/ports.ts';
import { TimerQueue } from '../../../simulation/world/timer-queue.ts';

/** Clock, timers and randomness under a test's control. Time stands still but in `advance`. */
export class VirtualTime {
  now = Date.parse('2026-12-01T00:00:00Z');
  readonly lines: string[] = [];
  /** Whole lines, as they would be written. */
  readonly written: string[] = [];
  #order = 0;
  #random = 1;
  readonly #timers = new TimerQueue();

  get ports(): Ports {
    const write = (message: string, fields?: object): void => {
      this.lines.push(message);
      this.written.push(JSON.stringify({ message, ...fields }));
    };
    const debug = (message: string, fields?: object): void => {
      this.written.push(JSON.stringify({ message, ...fields }));
    };
    const log: Log = { debug, info: write, warn: write, error: write };
    return {
      clock: { now: () => this.now, monotonic: () => this.now },
      timers: {
        after: (ms, run) => this.#timers.add(this.now + Math.max(0, ms), run),
      },
      random: {
        next: () => (this.#random = (this.#random * 16807) % 2147483647) / 2147483647,
        uuid: () => `id-${this.#order++}`,
      },
      log,
    };
  }

  /** Lets time pass; what is due runs in order, and all that follows from it without further time. */
  async advance(ms: number): Promise<void> {
    const until = this.now + ms;
    await settled();
    for (let due = this.#timers.take(until); due !== undefined; due = this.#timers.take(until)) {
      this.now = due.at;
      due.run();
      await settled();
    }
    this.now = until;
  }
}

/** Lets everything run that can without time passing. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}
