export interface Timer {
  readonly at: number;
  readonly run: () => void;
}

interface Entry extends Timer {
  readonly order: number;
  isCancelled: boolean;
}

/** Timers by their times; those of one time in the order in which they were added. */
export class TimerQueue {
  #order = 0;
  readonly #heap: Entry[] = [];

  /** Returns what takes it out again. */
  add(at: number, run: () => void): () => void {
    const entry: Entry = { at, run, order: this.#order++, isCancelled: false };
    push(this.#heap, entry);
    return () => {
      entry.isCancelled = true;
    };
  }

  /** Takes out the first, if it is due by then. */
  take(by = Number.POSITIVE_INFINITY): Timer | undefined {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (!first.isCancelled && first.at > by) return undefined;
      pop(this.#heap);
      if (!first.isCancelled) return first;
    }
    return undefined;
  }
}

function before(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** A binary heap, the earliest first. */
function push(heap: Entry[], entry: Entry): void {
  let i = heap.push(entry) - 1;
  for (;;) {
    const up = (i - 1) >> 1;
    const parent = heap[up];
    if (i === 0 || parent === undefined || !before(entry, parent)) break;
    heap[i] = parent;
    i = up;
  }
  heap[i] = entry;
}

function pop(heap: Entry[]): Entry | undefined {
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
