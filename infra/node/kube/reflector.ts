import type { KubeObject } from '../../../functions/core/objects.ts';
import { hasStatus, type KubeClient, type WatchEvent } from './client.ts';

interface List<T> {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly T[];
}

const WATCH_SECONDS = 120;
const RETRY_MS = 1000;

/**
 * A copy of one collection: listed, then watched, listed again after each watch (lists are truth). A kind that the server does
 * not serve yet is an empty collection, asked for again every second.
 */
export class Reflector<T extends KubeObject> {
  readonly #client: KubeClient;
  readonly #path: string;
  readonly #onChange: (object: T) => void;
  readonly #log: (line: string) => void;
  readonly #objects = new Map<string, T>();
  #synced = false;

  /** `onChange` gets the object as it is now, or as it was last when it is gone. */
  constructor(client: KubeClient, path: string, onChange: (object: T) => void, log: (line: string) => void) {
    this.#client = client;
    this.#path = path;
    this.#onChange = onChange;
    this.#log = log;
  }

  /** Whether the collection has been listed once. */
  get synced(): boolean {
    return this.#synced;
  }

  get(namespace: string, name: string): T | undefined {
    return this.#objects.get(`${namespace}/${name}`);
  }

  all(): readonly T[] {
    return [...this.#objects.values()];
  }

  /** Lists and watches until the signal; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const list = await this.#client.get<List<T>>(this.#path);
        this.#replace(list.items);
        await this.#client.watch(
          this.#path,
          list.metadata.resourceVersion,
          WATCH_SECONDS,
          (event) => this.#apply(event),
          signal,
        );
      } catch (error) {
        if (signal.aborted) return;
        if (hasStatus(error, 404)) this.#replace([]);
        else if (!hasStatus(error, 410)) this.#log(`${this.#path}: ${String(error)}`);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  #replace(items: readonly T[]): void {
    const gone = new Map(this.#objects);
    for (const item of items) {
      gone.delete(key(item));
      this.#put(item);
    }
    for (const [k, object] of gone) {
      this.#objects.delete(k);
      this.#onChange(object);
    }
    this.#synced = true;
  }

  #apply({ type, object }: WatchEvent): void {
    if (type === 'BOOKMARK') return;
    const item = object as T;
    if (type === 'DELETED') {
      this.#objects.delete(key(item));
      this.#onChange(item);
    } else {
      this.#put(item);
    }
  }

  #put(item: T): void {
    const before = this.#objects.get(key(item));
    this.#objects.set(key(item), item);
    if (before?.metadata.resourceVersion !== item.metadata.resourceVersion) this.#onChange(item);
  }
}

function key(object: KubeObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
