/**
 * Which keys a change concerns: for each controller and key the index entries that its last snapshot touched, also those that
 * found nothing (design: "Reads are subscriptions"). There are no hand-written event handlers.
 */
import type { Controller } from '../../../functions/core/controller.ts';
import { keyOf } from '../../../functions/core/object-index.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Caches } from '../cache/caches.ts';
import type { Change } from '../cache/kind-cache.ts';

/** One look into one index: `read` of the controller, for one value. */
export interface Touched {
  readonly read: string;
  readonly kind: string;
  readonly index: string;
  readonly value: string;
}

export class Subscriptions {
  readonly #controller: Controller;
  readonly #caches: Caches;
  readonly #byKey = new Map<string, readonly Touched[]>();
  /** kind -> index/value -> keys with the reads that looked there. */
  readonly #byEntry = new Map<string, Map<string, Map<string, Set<string>>>>();

  constructor(controller: Controller, caches: Caches) {
    this.#controller = controller;
    this.#caches = caches;
  }

  /** Replaces what a key is subscribed to. Called in the step that builds its snapshot. */
  replace(key: string, touched: readonly Touched[]): void {
    this.drop(key);
    if (touched.length === 0) return;
    this.#byKey.set(key, touched);
    for (const t of touched) {
      let entries = this.#byEntry.get(t.kind);
      if (!entries) this.#byEntry.set(t.kind, (entries = new Map()));
      const entry = entryOf(t.index, t.value);
      let keys = entries.get(entry);
      if (!keys) entries.set(entry, (keys = new Map()));
      const reads = keys.get(key);
      if (reads) reads.add(t.read);
      else keys.set(key, new Set([t.read]));
    }
  }

  drop(key: string): void {
    for (const t of this.#byKey.get(key) ?? []) {
      const entries = this.#byEntry.get(t.kind);
      const entry = entryOf(t.index, t.value);
      const keys = entries?.get(entry);
      keys?.delete(key);
      if (keys?.size === 0) entries?.delete(entry);
    }
    this.#byKey.delete(key);
  }

  /** Keys that a change concerns. */
  concerned(change: Change): Set<string> {
    const concerned = new Set<string>();
    if (change.kind.kind === this.#controller.primary.kind) {
      const object = change.new ?? change.old;
      if (object) concerned.add(keyOf(object));
    }
    const entries = this.#byEntry.get(change.kind.kind);
    if (!entries) return concerned;
    const looked = new Set<string>();
    for (const read of Object.values(this.#controller.reads)) {
      if (read.quiet || read.kind.kind !== change.kind.kind || looked.has(read.index.name)) continue;
      looked.add(read.index.name);
      const values = new Set([
        ...(change.old ? read.index.valuesOf(change.old) : []),
        ...(change.new ? read.index.valuesOf(change.new) : []),
      ]);
      for (const value of values) {
        for (const [key, reads] of entries.get(entryOf(read.index.name, value)) ?? []) {
          if (!concerned.has(key) && [...reads].some((r) => this.#matters(r, key, change))) concerned.add(key);
        }
      }
    }
    return concerned;
  }

  /** Whether the change is one that the read of this key can see: through its filter, and inside its projection. */
  #matters(readName: string, key: string, change: Change): boolean {
    const read = this.#controller.reads[readName];
    if (!read) return false;
    const primary = this.#caches.of(this.#controller.primary).get(key);
    const sees = (object: KubeObject | undefined) =>
      object !== undefined && (read.filter === undefined || (primary !== undefined && read.filter(object, primary)));
    const before = sees(change.old);
    const after = sees(change.new);
    if (!before && !after) return false;
    if (before !== after || read.project === undefined || !change.old || !change.new) return true;
    return contentOf(read.project(change.old)) !== contentOf(read.project(change.new));
  }
}

/** A projected object without its version: that changes with every write, also of members outside the projection. */
function contentOf(object: KubeObject): string {
  return JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: undefined } });
}

function entryOf(index: string, value: string): string {
  return `${index}\u0000${value}`;
}
