/** Every object, under one counter of versions, with the history that watches and continued lists need. */
import { frozen } from '../json/value.ts';
import type { ApiObject } from '../objects.ts';
import { keyOf, type Resource } from '../resources/resource.ts';
import { Collection } from './collection.ts';

/** One write. Of a deletion `object` is the last state, under the deletion's version. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  readonly object: ApiObject;
  readonly previous: ApiObject | undefined;
}

export type ChangeListener = (resource: Resource, change: Change) => void;

interface Kept {
  readonly objects: Collection;
  /** Ascending. */
  changes: Change[];
}

/** An arbitrary start: versions are no counts of anything. */
const FIRST_VERSION = 100;

export class Store {
  #version = FIRST_VERSION;
  #compacted = 0;
  readonly #kept = new Map<Resource, Kept>();
  readonly #listeners: ChangeListener[] = [];
  /** Changes not yet told: a listener may write, and everybody sees all writes in their order. */
  readonly #untold: [Resource, Change][] = [];
  #telling = false;

  get version(): number {
    return this.#version;
  }

  /** Changes up to this version are forgotten. */
  get compacted(): number {
    return this.#compacted;
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  get(resource: Resource, key: string): ApiObject | undefined {
    return this.#of(resource).objects.get(key);
  }

  list(resource: Resource, namespace = ''): ApiObject[] {
    return this.#of(resource).objects.list(namespace);
  }

  /** In no order. */
  values(resource: Resource): Iterable<ApiObject> {
    return this.#of(resource).objects.values();
  }

  /** Stores the object under a new version; it becomes frozen. */
  put(resource: Resource, object: ApiObject): ApiObject {
    const kept = this.#of(resource);
    const previous = kept.objects.get(keyOf(object.metadata.namespace, object.metadata.name));
    const version = ++this.#version;
    object.metadata.resourceVersion = String(version);
    frozen(object);
    kept.objects.put(object);
    this.#record(resource, kept, { type: previous === undefined ? 'ADDED' : 'MODIFIED', version, object, previous });
    return object;
  }

  /** Removes an object that is there; its last state, under the removal's version. */
  delete(resource: Resource, previous: ApiObject): ApiObject {
    const kept = this.#of(resource);
    const version = ++this.#version;
    const metadata = { ...previous.metadata, resourceVersion: String(version) };
    const object = frozen<ApiObject>({ ...previous, metadata });
    kept.objects.delete(previous);
    this.#record(resource, kept, { type: 'DELETED', version, object, previous });
    return object;
  }

  /** Changes of a kind after a version that is not compacted, in their order. */
  changesAfter(resource: Resource, version: number): readonly Change[] {
    const { changes } = this.#of(resource);
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((changes[middle]?.version ?? 0) <= version) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? changes : changes.slice(low);
  }

  /** A kind's objects as they were at a version that is not compacted, sorted. */
  listAt(resource: Resource, namespace: string, version: number): ApiObject[] {
    const later = this.changesAfter(resource, version);
    if (later.length === 0) return this.list(resource, namespace);
    const past = new Collection();
    for (const object of this.list(resource, namespace)) past.put(object);
    for (let i = later.length - 1; i >= 0; i--) {
      const { object, previous } = later[i] as Change;
      if (namespace !== '' && object.metadata.namespace !== namespace) continue;
      if (previous === undefined) past.delete(object);
      else past.put(previous);
    }
    return past.list(namespace);
  }

  /** Forgets all changes so far. */
  compact(): void {
    this.#compacted = this.#version;
    for (const kept of this.#kept.values()) kept.changes = [];
  }

  /** A kind that is served no more. */
  forget(resource: Resource): void {
    this.#kept.delete(resource);
  }

  #of(resource: Resource): Kept {
    let kept = this.#kept.get(resource);
    if (kept === undefined) {
      kept = { objects: new Collection(), changes: [] };
      this.#kept.set(resource, kept);
    }
    return kept;
  }

  #record(resource: Resource, kept: Kept, change: Change): void {
    kept.changes.push(change);
    this.#untold.push([resource, change]);
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let next = this.#untold.shift(); next !== undefined; next = this.#untold.shift()) {
        for (const listener of this.#listeners) listener(...next);
      }
    } finally {
      this.#telling = false;
    }
  }
}
