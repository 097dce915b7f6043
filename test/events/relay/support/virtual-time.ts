import type { Log, Ports } from '../../../../events/relay/ports.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Clock, timers and randomness under a test's control. Time stands still but in `advance`. */
export class VirtualTime {
  now = Date.parse('2026-12-01T00:00:00Z');
  readonly lines: string[] = [];
  /** Whole lines, as they would be written. */
  readonly written: string[] = [];
  #order = 0;
  #random = 1;
  readonly #timers = new Set<Timer>();

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
        after: (ms, run) => {
          const timer = { at: this.now + Math.max(0, ms), order: this.#order++, run };
          this.#timers.add(timer);
          return () => void this.#timers.delete(timer);
        },
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
    for (;;) {
      const due = [...this.#timers].filter((t) => t.at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (!due) break;
      this.#timers.delete(due);
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
