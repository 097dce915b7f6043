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

/** Is told of a controller's own code that threw while a change was judged; `key`: whose concern was asked for. */
export type JudgementFailed = (change: Change, key: string | undefined, error: unknown) => void;

export class Subscriptions {
  readonly #controller: Controller;
  readonly #caches: Caches;
  readonly #byKey = new Map<string, readonly Touched[]>();
  /** kind -> index/value -> keys with the reads that looked there. */
  readonly #byEntry = new Map<string, Map<string, Map<string, Set<string>>>>();

  readonly #onFailed: JudgementFailed;

  constructor(controller: Controller, caches: Caches, onFailed: JudgementFailed = () => undefined) {
    this.#controller = controller;
    this.#caches = caches;
    this.#onFailed = onFailed;
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
    const { primary, project } = this.#controller;
    if (change.kind.kind === primary.kind && this.#judged(change, undefined, () => isSeenThrough(project, change))) {
      const object = change.new ?? change.old;
      if (object) concerned.add(keyOf(object));
    }
    for (const key of this.#newlyYielded(change)) concerned.add(key);
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
          if (
            !concerned.has(key) &&
            [...reads].some((r) => this.#judged(change, key, () => this.#matters(r, key, change)))
          )
            concerned.add(key);
        }
      }
    }
    return concerned;
  }

  /** Keys without a primary that the object yields and has not yielded before. Keys with a primary have their subscriptions. */
  #newlyYielded({ kind, old, new: now }: Change): readonly string[] {
    const source = this.#controller.keys?.find((s) => s.kind.kind === kind.kind);
    if (source === undefined || now === undefined) return [];
    const before = old === undefined ? [] : source.keysOf(old);
    const primaries = this.#caches.of(this.#controller.primary);
    return source.keysOf(now).filter((key) => !before.includes(key) && primaries.get(key) === undefined);
  }

  /** What a controller's own code says of a change. Where it fails the key is concerned: its pass will show. */
  #judged(change: Change, key: string | undefined, judgement: () => boolean): boolean {
    try {
      return judgement();
    } catch (e) {
      this.#onFailed(change, key, e);
      return true;
    }
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
    return before !== after || isSeenThrough(read.project, change);
  }
}

/** Whether the change is one of what a projection keeps; without one, of anything. */
function isSeenThrough(project: ((object: KubeObject) => KubeObject) | undefined, change: Change): boolean {
  if (project === undefined || !change.old || !change.new) return true;
  return contentOf(project(change.old)) !== contentOf(project(change.new));
}

/** A projected object without its version: that changes with every write, also of members outside the projection. */
function contentOf(object: KubeObject): string {
  return JSON.stringify({ ...object, metadata: { ...object.metadata, resourceVersion: undefined } });
}

function entryOf(index: string, value: string): string {
  return `${index}\u0000${value}`;
}
