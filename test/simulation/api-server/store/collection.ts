/** The objects of one kind, by key and by namespace, in the order of their keys. */
import type { ApiObject } from '../objects.ts';
import { keyOf } from '../resources/resource.ts';

export class Collection {
  readonly #byKey = new Map<string, ApiObject>();
  readonly #byNamespace = new Map<string, Map<string, ApiObject>>();
  /** Sorted, by namespace ('' for all); dropped when a key comes or goes. */
  readonly #order = new Map<string, readonly string[]>();

  get(key: string): ApiObject | undefined {
    return this.#byKey.get(key);
  }

  get size(): number {
    return this.#byKey.size;
  }

  put(object: ApiObject): void {
    const { namespace = '', name } = object.metadata;
    const key = keyOf(namespace, name);
    if (!this.#byKey.has(key)) this.#forgetOrder(namespace);
    this.#byKey.set(key, object);
    let inNamespace = this.#byNamespace.get(namespace);
    if (inNamespace === undefined) {
      inNamespace = new Map();
      this.#byNamespace.set(namespace, inNamespace);
    }
    inNamespace.set(key, object);
  }

  delete(object: ApiObject): void {
    const { namespace = '', name } = object.metadata;
    const key = keyOf(namespace, name);
    this.#byKey.delete(key);
    this.#byNamespace.get(namespace)?.delete(key);
    this.#forgetOrder(namespace);
  }

  /** All of a namespace, or of the cluster ('') by namespace, sorted as keys are. */
  list(namespace: string): ApiObject[] {
    const from = namespace === '' ? this.#byKey : this.#byNamespace.get(namespace);
    if (from === undefined) return [];
    let order = this.#order.get(namespace);
    if (order === undefined) {
      order = [...from.keys()].sort(byBytes);
      this.#order.set(namespace, order);
    }
    return order.map((key) => from.get(key) as ApiObject);
  }

  values(): Iterable<ApiObject> {
    return this.#byKey.values();
  }

  #forgetOrder(namespace: string): void {
    this.#order.delete('');
    this.#order.delete(namespace);
  }
}

/** Keys are ASCII, so code units do. */
export function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
