import { reached } from '../../../functions/core/expectation.ts';
import type { Kind } from '../../../functions/core/kind.ts';
import type { Caches } from '../cache/caches.ts';

/** Keys that wait until the reflector of a kind has reached a version (outcome `stale`). */
export class PositionWaiters {
  readonly #caches: Caches;
  readonly #enqueue: (key: string) => void;
  readonly #waiting = new Map<string, Map<string, string>>();

  constructor(caches: Caches, kinds: readonly Kind[], enqueue: (key: string) => void) {
    this.#caches = caches;
    this.#enqueue = enqueue;
    for (const kind of kinds) caches.of(kind).onPosition((position) => this.#moved(kind.kind, position));
  }

  /** Enqueues the key as soon as the position is reached, at once if it is already. */
  wait(key: string, kind: string, version: string): void {
    if (reached(this.#caches.named(kind)?.position, version)) {
      this.#enqueue(key);
      return;
    }
    let keys = this.#waiting.get(kind);
    if (!keys) this.#waiting.set(kind, (keys = new Map()));
    keys.set(key, version);
  }

  #moved(kind: string, position: string): void {
    const keys = this.#waiting.get(kind);
    if (!keys) return;
    for (const [key, version] of keys) {
      if (!reached(position, version)) continue;
      keys.delete(key);
      this.#enqueue(key);
    }
  }
}
