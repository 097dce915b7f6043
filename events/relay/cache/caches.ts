import type { Kind } from '../../../functions/core/kind.ts';
import { type ChangeListener, KindCache, type ListenerFailed } from './kind-cache.ts';

/** The caches of all kinds that some controller reads. */
export class Caches {
  readonly #byKind = new Map<string, KindCache>();
  readonly #onListenerFailed: ListenerFailed | undefined;

  constructor(onListenerFailed?: ListenerFailed) {
    this.#onListenerFailed = onListenerFailed;
  }

  /** The kind's cache, made at first use. */
  of(kind: Kind): KindCache {
    let cache = this.#byKind.get(kind.kind);
    if (!cache) {
      cache = new KindCache(kind, this.#onListenerFailed);
      this.#byKind.set(kind.kind, cache);
    }
    return cache;
  }

  named(kind: string): KindCache | undefined {
    return this.#byKind.get(kind);
  }

  all(): IterableIterator<KindCache> {
    return this.#byKind.values();
  }

  onChange(listener: ChangeListener): void {
    for (const cache of this.#byKind.values()) cache.onChange(listener);
  }
}
