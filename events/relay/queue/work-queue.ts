/**
 * virt-controller's queue semantics (runtime.md 2.1): one key is never handed out twice at once; any number of adds while it
 * waits gives one pass, any number while it is processed gives exactly one further pass; a delayed add keeps the earlier time
 * and is not cancelled by a direct one.
 */
import type { Cancel, Clock, Timers } from '../ports.ts';

/** Who is told of what goes through a queue (runtime.md 12.2). Times are milliseconds. */
export interface QueueObserver {
  opened(queue: WorkQueue): void;
  /** A key that did not wait already. */
  added(): void;
  taken(waitedMs: number): void;
  done(workedMs: number): void;
  /** A key that is to be added later. */
  delayed(): void;
}

export class WorkQueue {
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #onReady: () => void;
  readonly #observer: QueueObserver | undefined;
  /** Since when each key waits, or is processed. */
  readonly #waiting = new Map<string, number>();
  readonly #processing = new Map<string, number>();
  /** Keys added again while they are processed, and since when. */
  readonly #again = new Map<string, number>();
  readonly #delayed = new Map<string, { dueAt: number; cancel: Cancel }>();
  #closed = false;

  /** `onReady` is told whenever a key can be taken. */
  constructor(clock: Clock, timers: Timers, onReady: () => void, observer?: QueueObserver) {
    this.#clock = clock;
    this.#timers = timers;
    this.#onReady = onReady;
    this.#observer = observer;
    observer?.opened(this);
  }

  get depth(): number {
    return this.#waiting.size;
  }

  get inFlight(): number {
    return this.#processing.size;
  }

  /** Age of the oldest pass under way. */
  get longestRunningMs(): number {
    const now = this.#clock.monotonic();
    let longest = 0;
    for (const since of this.#processing.values()) longest = Math.max(longest, now - since);
    return longest;
  }

  /** Sum of the ages of all passes under way. */
  get unfinishedMs(): number {
    const now = this.#clock.monotonic();
    let sum = 0;
    for (const since of this.#processing.values()) sum += now - since;
    return sum;
  }

  add(key: string): void {
    if (this.#closed) return;
    const list = this.#processing.has(key) ? this.#again : this.#waiting;
    if (!list.has(key)) {
      list.set(key, this.#clock.monotonic());
      this.#observer?.added();
    }
    if (list === this.#waiting) this.#onReady();
  }

  addAfter(key: string, ms: number): void {
    if (this.#closed) return;
    this.#observer?.delayed();
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
    const first = this.#waiting.entries().next();
    if (first.done === true) return undefined;
    const [key, since] = first.value;
    const now = this.#clock.monotonic();
    this.#waiting.delete(key);
    this.#processing.set(key, now);
    this.#observer?.taken(now - since);
    return key;
  }

  done(key: string): void {
    const since = this.#processing.get(key);
    this.#processing.delete(key);
    if (since !== undefined) this.#observer?.done(this.#clock.monotonic() - since);
    const again = this.#again.get(key);
    this.#again.delete(key);
    if (again !== undefined && !this.#closed) this.#waiting.set(key, again);
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
