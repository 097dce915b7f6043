/** Runs one pass at a time for each key, and one more after it when the key was asked for meanwhile. */
export class KeyedWorker {
  readonly #pass: (key: string) => Promise<void>;
  readonly #running = new Map<string, { again: boolean }>();
  readonly #idle: (() => void)[] = [];
  #stopped = false;

  /** `pass` must not reject. */
  constructor(pass: (key: string) => Promise<void>) {
    this.#pass = pass;
  }

  enqueue(key: string): void {
    if (this.#stopped) return;
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    this.#running.set(key, { again: false });
    void this.#work(key);
  }

  /** Takes no more keys; resolves when the passes under way have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  async #work(key: string): Promise<void> {
    for (;;) {
      await this.#pass(key);
      const state = this.#running.get(key);
      if (state?.again !== true || this.#stopped) break;
      state.again = false;
    }
    this.#running.delete(key);
    if (this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}
