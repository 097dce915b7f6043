import type { SimulatedProcess } from './process.ts';

/** Bytes on their way to a process, which may end, break off, or come while the process stands still. */
export class ByteStream {
  readonly #process: SimulatedProcess;
  readonly #queue: (Uint8Array | Error | 'end')[] = [];
  #wake: (() => void) | undefined;

  constructor(process: SimulatedProcess) {
    this.#process = process;
  }

  push(bytes: Uint8Array): void {
    this.#put(bytes);
  }

  end(): void {
    this.#put('end');
  }

  fail(error: Error): void {
    this.#put(error);
  }

  get chunks(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  #put(item: Uint8Array | Error | 'end'): void {
    this.#queue.push(item);
    this.#process.enter(() => this.#wake?.());
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#queue.shift();
      if (next === 'end') return;
      if (next instanceof Error) throw next;
      if (next !== undefined) yield next;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
