/**
 * How a controller says what it reads (design: "Reads are subscriptions").
 *
 * ```ts
 * reads: {
 *   pods: many(Pod).by(byController, (vmi) => vmi.metadata.uid),
 *   owner: one(VirtualMachine).named((vmi) => ownerKey(vmi)),
 * }
 * ```
 *
 * Reads are made in the order in which they are declared; a later one may use what an earlier one found (`found`).
 */
import type { Kind } from './kind.ts';
import { byName, type ObjectIndex } from './object-index.ts';
import type { KubeObject } from './objects.ts';

/** What earlier reads of the same snapshot found, by their names. */
export interface Found {
  one<T extends KubeObject>(read: string): T | undefined;
  many<T extends KubeObject>(read: string): readonly T[];
}

/** Values under which to look; `undefined` looks nowhere (and subscribes to nothing). */
export type Lookup = string | readonly string[] | undefined;

export interface Read<
  T extends KubeObject = KubeObject,
  P extends KubeObject = KubeObject,
  Many extends boolean = boolean,
> {
  readonly kind: Kind<T>;
  readonly many: Many;
  readonly index: ObjectIndex<T>;
  /** Without a primary only reads that start from the key look anywhere. */
  readonly lookup: (primary: P | undefined, found: Found, key: string) => Lookup;
  /** Only objects that pass are part of the read. A change from or to an object that passes is a change of the read. */
  readonly filter?: (object: T, primary: P) => boolean;
  /** What of each object enters the snapshot. A change outside it enqueues nothing. Keep `metadata.name`, `uid`, `resourceVersion`. */
  readonly project?: (object: T) => T;
  /** A quiet read does not subscribe: changes of what it finds enqueue nothing (cluster-wide reads). */
  readonly quiet: boolean;
}

export type ManyRead<T extends KubeObject, P extends KubeObject> = Read<T, P, true> & {
  where(filter: (object: T, primary: P) => boolean): ManyRead<T, P>;
  only(project: (object: T) => T): ManyRead<T, P>;
  quietly(): ManyRead<T, P>;
};
/** A read that is made without a primary too; a filter, which may look at the primary, is not for it. */
export type KeyRead<T extends KubeObject, P extends KubeObject> = Read<T, P, true> & {
  only(project: (object: T) => T): KeyRead<T, P>;
  quietly(): KeyRead<T, P>;
};
export type OneRead<T extends KubeObject, P extends KubeObject> = Read<T, P, false> & {
  only(project: (object: T) => T): OneRead<T, P>;
  quietly(): OneRead<T, P>;
};

/** Reads all objects of a kind that an index gives for some values. */
export function many<T extends KubeObject>(kind: Kind<T>) {
  return {
    by<P extends KubeObject>(
      index: ObjectIndex<T> | ObjectIndex,
      lookup: (primary: P, found: Found) => Lookup,
    ): ManyRead<T, P> {
      return manyRead({ kind, many: true, index: index as ObjectIndex<T>, lookup: ofPrimary(lookup), quiet: false });
    },
    /** For controllers whose keys outlive their primaries (`keys`): looks also where the primary is absent. */
    byKey<P extends KubeObject>(
      index: ObjectIndex<T> | ObjectIndex,
      lookup: (key: string, primary: P | undefined) => Lookup,
    ): KeyRead<T, P> {
      return keyRead({
        kind,
        many: true,
        index: index as ObjectIndex<T>,
        lookup: (primary, _found, key) => lookup(key, primary),
        quiet: false,
      });
    },
  };
}

/** Reads one object by its key, `<namespace>/<name>` or `<name>`. */
export function one<T extends KubeObject>(kind: Kind<T>) {
  return {
    named<P extends KubeObject>(lookup: (primary: P, found: Found) => string | undefined): OneRead<T, P> {
      return oneRead({
        kind,
        many: false,
        index: byName as ObjectIndex<T>,
        lookup: ofPrimary(lookup),
        quiet: false,
      });
    },
  };
}

function ofPrimary<P extends KubeObject>(lookup: (primary: P, found: Found) => Lookup): Read<KubeObject, P>['lookup'] {
  return (primary, found) => (primary === undefined ? undefined : lookup(primary, found));
}

function manyRead<T extends KubeObject, P extends KubeObject>(read: Read<T, P, true>): ManyRead<T, P> {
  return {
    ...read,
    where: (filter) => manyRead({ ...read, filter }),
    only: (project) => manyRead({ ...read, project }),
    quietly: () => manyRead({ ...read, quiet: true }),
  };
}

function keyRead<T extends KubeObject, P extends KubeObject>(read: Read<T, P, true>): KeyRead<T, P> {
  return {
    ...read,
    only: (project) => keyRead({ ...read, project }),
    quietly: () => keyRead({ ...read, quiet: true }),
  };
}

function oneRead<T extends KubeObject, P extends KubeObject>(read: Read<T, P, false>): OneRead<T, P> {
  return {
    ...read,
    only: (project) => oneRead({ ...read, project }),
    quietly: () => oneRead({ ...read, quiet: true }),
  };
}
