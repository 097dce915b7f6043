import type { KubeObject } from './objects.ts';

/**
 * A named function from one object to the values under which it can be found. An index never looks at anything but the
 * object, so that the relay can tell from an old and a new version of one object which keys a change concerns.
 */
export interface ObjectIndex<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly valuesOf: (object: T) => readonly string[];
}

export const EVERYTHING = 'everything';

/** Objects of one namespace. */
export const byNamespace: ObjectIndex = {
  name: 'namespace',
  valuesOf: (o) => (o.metadata.namespace === undefined ? [] : [o.metadata.namespace]),
};

/** All objects of the kind, under the one value `EVERYTHING`. */
export const everything: ObjectIndex = { name: 'everything', valuesOf: () => [EVERYTHING] };

/** One object by `<namespace>/<name>`, or `<name>` where the kind is cluster-wide. */
export const byName: ObjectIndex = { name: 'name', valuesOf: (o) => [keyOf(o)] };

/** Objects by the uid of their controller owner (vmi.md: "owned by X"). */
export const byController: ObjectIndex = {
  name: 'controller',
  valuesOf: (o) => {
    const owner = o.metadata.ownerReferences?.find((r) => r.controller === true);
    return owner === undefined ? [] : [owner.uid];
  },
};

/** `<namespace>/<name>`, or `<name>` for cluster-wide objects. */
export function keyOf(object: KubeObject): string {
  return keyFor(object.metadata.namespace, object.metadata.name);
}

export function keyFor(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}
