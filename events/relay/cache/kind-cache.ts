/**
 * The relay's view of one kind: what the reflector brought, with the relay's own writes laid over it until the reflector has
 * caught up.
 *
 * ```text
 * own write v7       cache: v7 (position 5)
 * watch: v6          older than what is known: ignored, position 6
 * watch: v7          position 7; same version, no change
 * ```
 *
 * Versions are compared within one kind only. A list always wins, backwards too.
 */
import { compareVersions } from '../../../functions/core/expectation.ts';
import type { Kind } from '../../../functions/core/kind.ts';
import { keyOf, type ObjectIndex } from '../../../functions/core/object-index.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { stripped } from './stripped.ts';

/** One object changed: absent before, or absent now, or both there. */
export interface Change {
  readonly kind: Kind;
  readonly old: KubeObject | undefined;
  readonly new: KubeObject | undefined;
}

export type ChangeListener = (change: Change) => void;

/** Is told of a listener that threw. The change is taken from no other listener by that. */
export type ListenerFailed = (change: Change, error: unknown) => void;

export class KindCache {
  readonly kind: Kind;
  #objects = new Map<string, KubeObject>();
  /** Uids of objects that the relay itself removed, until the reflector has seen it. */
  readonly #tombstones = new Set<string>();
  readonly #indexes = new Map<string, { index: ObjectIndex; keys: Map<string, Set<string>> }>();
  readonly #listeners: ChangeListener[] = [];
  readonly #positionListeners: ((position: string) => void)[] = [];
  #position: string | undefined;
  #listedUnder = 0;
  readonly #onListenerFailed: ListenerFailed;

  constructor(kind: Kind, onListenerFailed: ListenerFailed = rethrow) {
    this.kind = kind;
    this.#onListenerFailed = onListenerFailed;
  }

  /** The reflector's position; `undefined` before the first list. */
  get position(): string | undefined {
    return this.#position;
  }

  /** The fencing token under which the last list was made. */
  get listedUnder(): number {
    return this.#listedUnder;
  }

  get size(): number {
    return this.#objects.size;
  }

  onChange(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  onPosition(listener: (position: string) => void): void {
    this.#positionListeners.push(listener);
  }

  addIndex(index: ObjectIndex): void {
    if (this.#indexes.has(index.name)) return;
    const keys = new Map<string, Set<string>>();
    this.#indexes.set(index.name, { index, keys });
    for (const [key, object] of this.#objects) for (const value of index.valuesOf(object)) insert(keys, value, key);
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  values(): IterableIterator<KubeObject> {
    return this.#objects.values();
  }

  /** Objects under a value of an index, in the order of their keys. */
  find(index: ObjectIndex, value: string): KubeObject[] {
    const keys = this.#indexes.get(index.name)?.keys.get(value);
    if (!keys) return [];
    const found: KubeObject[] = [];
    for (const key of [...keys].sort()) {
      const object = this.#objects.get(key);
      if (object) found.push(object);
    }
    return found;
  }

  /** A list, complete: swapped in as a whole. Tells of every difference. */
  replace(objects: readonly KubeObject[], position: string, token: number): void {
    const next = new Map<string, KubeObject>();
    for (const object of objects) {
      const lean = stripped(this.kind, object);
      next.set(keyOf(lean), lean);
    }
    const before = this.#objects;
    this.#tombstones.clear();
    this.#listedUnder = token;
    const changes: Change[] = [];
    for (const [key, old] of before) {
      const now = next.get(key);
      if (now === undefined) changes.push({ kind: this.kind, old, new: undefined });
      else if (now.metadata.resourceVersion !== old.metadata.resourceVersion)
        changes.push({ kind: this.kind, old, new: now });
    }
    for (const [key, now] of next) if (!before.has(key)) changes.push({ kind: this.kind, old: undefined, new: now });
    this.#objects = next;
    for (const { index, keys } of this.#indexes.values()) {
      keys.clear();
      for (const [key, object] of next) for (const value of index.valuesOf(object)) insert(keys, value, key);
    }
    this.#moveTo(position);
    for (const change of changes) this.#tell(change);
  }

  /** A watch event. Events come in the order of their versions; one from behind the position is an echo. */
  watched(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): void {
    const lean = stripped(this.kind, object);
    const version = lean.metadata.resourceVersion ?? '0';
    if (this.#position !== undefined && compareVersions(version, this.#position) < 0) return;
    const uid = lean.metadata.uid ?? '';
    const known = this.#objects.get(keyOf(lean));
    const isOld = known !== undefined && compareVersions(known.metadata.resourceVersion ?? '0', version) > 0;
    if (type === 'DELETED') {
      this.#tombstones.delete(uid);
      // A newer object of the same name, of the relay's own making, stays.
      if (known !== undefined && (known.metadata.uid === uid || !isOld)) this.#set(keyOf(lean), known, undefined);
    } else if (!isOld && !this.#tombstones.has(uid) && known?.metadata.resourceVersion !== version) {
      this.#set(keyOf(lean), known, lean);
    }
    this.#moveTo(version);
  }

  bookmarked(position: string): void {
    if (this.#position === undefined || compareVersions(position, this.#position) > 0) this.#moveTo(position);
  }

  /** The result of a write of the relay's own, or of a live read. It enters only if the reflector is not past it. */
  wrote(object: KubeObject): void {
    const lean = stripped(this.kind, object);
    const version = lean.metadata.resourceVersion;
    if (version === undefined || this.#position === undefined || compareVersions(version, this.#position) <= 0) return;
    const known = this.#objects.get(keyOf(lean));
    if (known !== undefined && compareVersions(known.metadata.resourceVersion ?? '0', version) >= 0) return;
    if (this.#tombstones.has(lean.metadata.uid ?? '')) return;
    this.#set(keyOf(lean), known, lean);
  }

  /** The relay removed this object, or found that it is gone. */
  removed(key: string, uid: string): void {
    const known = this.#objects.get(key);
    if (known === undefined || known.metadata.uid !== uid) return;
    this.#tombstones.add(uid);
    this.#set(key, known, undefined);
  }

  /** The kind is no longer served: nothing is there, and nothing is known until it is listed again. */
  forget(): void {
    for (const [key, old] of this.#objects) this.#set(key, old, undefined);
    this.#tombstones.clear();
    this.#position = undefined;
  }

  #set(key: string, old: KubeObject | undefined, now: KubeObject | undefined): void {
    for (const { index, keys } of this.#indexes.values()) {
      if (old) for (const value of index.valuesOf(old)) remove(keys, value, key);
      if (now) for (const value of index.valuesOf(now)) insert(keys, value, key);
    }
    if (now) this.#objects.set(key, now);
    else this.#objects.delete(key);
    this.#tell({ kind: this.kind, old, new: now });
  }

  #moveTo(position: string): void {
    this.#position = position;
    for (const listener of this.#positionListeners) listener(position);
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (e) {
        this.#onListenerFailed(change, e);
      }
    }
  }
}

function rethrow(_: Change, error: unknown): never {
  throw error;
}

function insert(keys: Map<string, Set<string>>, value: string, key: string): void {
  const set = keys.get(value);
  if (set) set.add(key);
  else keys.set(value, new Set([key]));
}

function remove(keys: Map<string, Set<string>>, value: string, key: string): void {
  const set = keys.get(value);
  set?.delete(key);
  if (set?.size === 0) keys.delete(value);
}
