/**
 * virt-controller's queue semantics (runtime.md 2.1): one key is never handed out twice at once; any number of adds while it
 * waits gives one pass, any number while it is processed gives exactly one further pass; a delayed add keeps the earlier time
 * and is not cancelled by a direct one.
 */
import type { Cancel, Clock, Timers } from '../ports.ts';

export class WorkQueue {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #onReady: () => void;
  readonly #waiting = new Set<string>();
  readonly #processing = new Set<string>();
  /** Keys added again while they are processed. */
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, { dueAt: number; cancel: Cancel }>();
  #closed = false;

  /** `onReady` is told whenever a key can be taken. */
  constructor(clock: Clock, timers: Timers, onReady: () => void) {
    this.#clock = clock;
    this.#timers = timers;
    this.#onReady = onReady;
  }

  get depth(): number {
    return this.#waiting.size;
  }

  get inFlight(): number {
    return this.#processing.size;
  }

  add(key: string): void {
    if (this.#closed) return;
    if (this.#processing.has(key)) {
      this.#again.add(key);
      return;
    }
    this.#waiting.add(key);
    this.#onReady();
  }

  addAfter(key: string, ms: number): void {
    if (this.#closed) return;
    if (ms <= 0) {
      this.add(key);
      return;
    }
    const dueAt = this.#clock.monotonic() + ms;
    const earlier = this.#delayed.get(key);
    if (earlier !== undefined && earlier.dueAt <= dueAt) return;
    earlier?.cancel();
    const cancel = this.#timers.after(ms, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { dueAt, cancel });
  }

  /** The key that waits longest; it is processed until `done`. */
  take(): string | undefined {
    const first = this.#waiting.values().next();
    if (first.done === true) return undefined;
    this.#waiting.delete(first.value);
    this.#processing.add(first.value);
    return first.value;
  }

  done(key: string): void {
    this.#processing.delete(key);
    if (this.#again.delete(key) && !this.#closed) this.#waiting.add(key);
    this.#onReady();
  }

  /** Nothing is accepted or handed out any more. */
  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    this.#again.clear();
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
  }
}
