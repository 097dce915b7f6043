/**
 * The one clock of a simulated world. Time stands still while anything computes, and then jumps to the next timer: an hour in
 * which nothing happens costs nothing.
 */
/** When simulated worlds begin. */
export const BEGIN_MS = Date.parse('2026-12-01T00:00:00Z');

interface Timer {
  readonly at: number;
  readonly order: number;
  run: (() => void) | undefined;
}

export class VirtualTime {
  /** Milliseconds since the epoch. */
  now = BEGIN_MS;
  #order = 0;
  #computing = 0;
  readonly #timers: Timer[] = [];

  /** Runs something after that time; returns what prevents it. What is due at one time runs in the order in which it was asked for. */
  after(ms: number, run: () => void): () => void {
    const timer: Timer = { at: this.now + Math.max(0, Math.ceil(ms)), order: this.#order++, run };
    push(this.#timers, timer);
    return () => {
      timer.run = undefined;
    };
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
    const first = pop(this.#timers);
    if (first === undefined) return false;
    if (first.run === undefined) return true;
    this.now = first.at;
    first.run();
    while (this.#timers[0] !== undefined && (this.#timers[0].at <= this.now || this.#timers[0].run === undefined))
      pop(this.#timers)?.run?.();
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

function before(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** A binary heap, the earliest first. */
function push(heap: Timer[], timer: Timer): void {
  let i = heap.push(timer) - 1;
  for (;;) {
    const up = (i - 1) >> 1;
    const parent = heap[up];
    if (i === 0 || parent === undefined || !before(timer, parent)) break;
    heap[i] = parent;
    i = up;
  }
  heap[i] = timer;
}

function pop(heap: Timer[]): Timer | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  let i = 0;
  for (;;) {
    let down = 2 * i + 1;
    let child = heap[down];
    const right = heap[down + 1];
    if (child !== undefined && right !== undefined && before(right, child)) {
      down++;
      child = right;
    }
    if (child === undefined || !before(child, last)) break;
    heap[i] = child;
    i = down;
  }
  heap[i] = last;
  return first;
}
