/** What happened, line by line; lines are made only if somebody reads them. */
export class Trace {
  readonly #write: ((line: string) => void) | undefined;
  readonly #now: () => number;

  constructor(now: () => number, write?: (line: string) => void) {
    this.#now = now;
    this.#write = write;
  }

  get isRead(): boolean {
    return this.#write !== undefined;
  }

  say(who: string, what: () => string): void {
    this.#write?.(`${new Date(this.#now()).toISOString().slice(11, 23)} ${who.padEnd(12)} ${what()}`);
  }
}
