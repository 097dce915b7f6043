import type { HttpRequest } from '../../../events/relay/ports.ts';

/** Keeps what was delivered to each function, so that it can be delivered again. */
export class Replays {
  readonly #delivered = new Map<string, HttpRequest[]>();

  keep(name: string, request: HttpRequest): void {
    const before = this.#delivered.get(name);
    if (before === undefined) this.#delivered.set(name, [request]);
    else before.push(request);
  }

  /** What was delivered to that function `back` deliveries ago, if there was such a delivery. */
  ago(name: string, back: number): HttpRequest | undefined {
    return this.#delivered.get(name)?.at(-back);
  }
}
