/** Who is owned by whom: what the garbage collector knows. */
import type { Cluster } from '../cluster.ts';
import type { ApiObject, OwnerReference } from '../objects.ts';
import { keyOf, type Resource } from '../resources/resource.ts';
import type { Change } from '../store/store.ts';

export interface Item {
  readonly resource: Resource;
  readonly key: string;
}

export interface Found extends Item {
  readonly object: ApiObject;
}

export class Dependents {
  readonly #cluster: Cluster;
  readonly #byOwner = new Map<string, Map<string, Item>>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  heard(resource: Resource, { type, object, previous }: Change): void {
    const { namespace, name, uid = '' } = object.metadata;
    const owners = object.metadata.ownerReferences;
    if (type !== 'ADDED' && owners === previous?.metadata.ownerReferences && type !== 'DELETED') return;
    const item = { resource, key: keyOf(namespace, name) };
    for (const owner of previous?.metadata.ownerReferences ?? []) this.#byOwner.get(owner.uid)?.delete(uid);
    if (type === 'DELETED') return;
    for (const owner of owners ?? []) {
      let of = this.#byOwner.get(owner.uid);
      if (of === undefined) {
        of = new Map();
        this.#byOwner.set(owner.uid, of);
      }
      of.set(uid, item);
    }
  }

  of(uid: string | undefined): Found[] {
    return [...(this.#byOwner.get(uid ?? '')?.values() ?? [])].flatMap((item) => {
      const object = this.find(item);
      return object === undefined ? [] : [{ ...item, object }];
    });
  }

  find({ resource, key }: Item): ApiObject | undefined {
    return this.#cluster.store.get(resource, key);
  }

  /** `undefined`: certainly not there. `unknown`: of a kind that is not served, or out of reach of its dependent. */
  owner(reference: OwnerReference, dependent: Found): Found | 'unknown' | undefined {
    const resource = this.#cluster.catalogue.ofKind(reference.apiVersion, reference.kind);
    if (resource === undefined) return 'unknown';
    if (resource.namespaced && !dependent.resource.namespaced) return 'unknown';
    const key = keyOf(resource.namespaced ? dependent.object.metadata.namespace : undefined, reference.name);
    const object = this.find({ resource, key });
    return object?.metadata.uid === reference.uid ? { resource, key, object } : undefined;
  }
}
