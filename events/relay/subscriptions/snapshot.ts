import type { Controller } from '../../../functions/core/controller.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Found } from '../../../functions/core/reads.ts';
import type { Caches } from '../cache/caches.ts';
import type { Reflectors } from '../reflector/reflectors.ts';
import type { Touched } from './subscriptions.ts';

/** What a function gets to see of one key. On the wire `null` means: looked up, not there. */
export interface Snapshot {
  readonly primary: KubeObject | null;
  readonly reads: Readonly<Record<string, readonly KubeObject[] | KubeObject | null>>;
  /** Positions of the kinds read. */
  readonly positions: Readonly<Record<string, string>>;
  readonly touched: readonly Touched[];
}

/** `unknown`: a kind in which this key looks for something has not been listed yet; the key waits for it. */
export type SnapshotOutcome =
  | { readonly type: 'built'; readonly snapshot: Snapshot }
  | { readonly type: 'unknown'; readonly kind: string };

/** Builds the snapshot of one key from the caches, in one step: nothing else runs meanwhile. */
export function buildSnapshot(
  controller: Controller,
  key: string,
  caches: Caches,
  reflectors: Pick<Reflectors, 'stateOf'>,
): SnapshotOutcome {
  const { primary: own } = controller;
  if (reflectors.stateOf(own) === 'unknown') return { type: 'unknown', kind: own.kind };
  const kinds = [own, ...Object.values(controller.reads).map((r) => r.kind)];
  const positions: Record<string, string> = {};
  for (const kind of kinds) {
    const position = caches.of(kind).position;
    if (position !== undefined) positions[kind.kind] = position;
  }
  const whole = caches.of(controller.primary).get(key);
  const primary = whole === undefined || controller.project === undefined ? whole : controller.project(whole);
  const reads: Record<string, readonly KubeObject[] | KubeObject | null> = {};
  const touched: Touched[] = [];
  const found: Found = {
    one: <T extends KubeObject>(name: string) => (reads[name] ?? undefined) as T | undefined,
    many: <T extends KubeObject>(name: string) => (reads[name] ?? []) as readonly T[],
  };
  for (const [name, read] of Object.entries(controller.reads)) {
    const lookup = read.lookup(primary, found, key);
    const values = lookup === undefined ? [] : typeof lookup === 'string' ? [lookup] : [...new Set(lookup)];
    // A kind that is seldom looked at and cannot be listed holds up none but those who look.
    if (values.length > 0 && reflectors.stateOf(read.kind) === 'unknown') {
      return { type: 'unknown', kind: read.kind.kind };
    }
    const cache = caches.of(read.kind);
    // An object can be found under several of the values.
    const objects = new Set<KubeObject>();
    for (const value of values) {
      if (!read.quiet) touched.push({ read: name, kind: read.kind.kind, index: read.index.name, value });
      for (const object of cache.find(read.index, value)) {
        if (read.filter === undefined || (primary !== undefined && read.filter(object, primary))) objects.add(object);
      }
    }
    const shown = [...objects].map((o) => (read.project === undefined ? o : read.project(o)));
    reads[name] = read.many ? shown : (shown[0] ?? null);
  }
  return { type: 'built', snapshot: { primary: primary ?? null, reads, positions, touched } };
}
