/**
 * Deletes what has lost its owners, and does what a deletion's policy asks for.
 *
 * - Background: the owner is gone first; its dependents are deleted then.
 * - Foreground: the owner waits, under a finalizer, until those dependents are gone that block it.
 * - Orphan: the dependents are set free, then the owner goes.
 */
import type { Cluster } from '../cluster.ts';
import { isBeingDeleted, type OwnerReference } from '../objects.ts';
import { keyOf, type Resource } from '../resources/resource.ts';
import type { Change } from '../store/store.ts';
import { events } from '../strategies/core.ts';
import { removeAny } from '../verbs/delete.ts';
import { FOREGROUND, ORPHAN } from '../writing/delete.ts';
import { type Controller, rewriteMetadata, withoutFinalizer } from './controller.ts';
import { Dependents, type Found, type Item } from './dependents.ts';

export class GarbageCollector implements Controller {
  readonly #cluster: Cluster;
  readonly #dependents: Dependents;
  readonly #due = new Map<string, Item>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#dependents = new Dependents(cluster);
  }

  heard(resource: Resource, change: Change): void {
    if (resource === events) return;
    const { type, object, previous } = change;
    const { uid, ownerReferences, finalizers } = object.metadata;
    this.#dependents.heard(resource, change);
    const item = { resource, key: keyOf(object.metadata.namespace, object.metadata.name) };
    if (type === 'DELETED') {
      for (const dependent of this.#dependents.of(uid)) this.#add(dependent);
    } else if (isBeingDeleted(object)) {
      if (finalizers?.includes(FOREGROUND) || finalizers?.includes(ORPHAN)) this.#add(item);
    } else if (ownerReferences !== undefined && ownerReferences !== previous?.metadata.ownerReferences) this.#add(item);
    // An owner that waits for this one looks again.
    for (const reference of ownerReferences ?? previous?.metadata.ownerReferences ?? []) {
      const owner = this.#dependents.owner(reference, { ...item, object });
      if (owner !== undefined && owner !== 'unknown' && isWaiting(owner)) this.#add(owner);
    }
  }

  pass(): void {
    if (this.#due.size === 0) return;
    const due = [...this.#due.values()];
    this.#due.clear();
    for (const item of due) {
      const object = this.#dependents.find(item);
      if (object !== undefined) this.#process({ ...item, object });
    }
  }

  #add({ resource, key }: Item): void {
    this.#due.set(`${resource.storedAs}/${resource.plural}/${key}`, { resource, key });
  }

  #process(item: Found): void {
    if (!isBeingDeleted(item.object)) this.#collect(item);
    else if (item.object.metadata.finalizers?.includes(ORPHAN)) this.#orphan(item);
    else if (isWaiting(item)) this.#foreground(item);
  }

  #orphan(owner: Found): void {
    for (const dependent of this.#dependents.of(owner.object.metadata.uid))
      this.#release(dependent, ({ uid }) => uid === owner.object.metadata.uid);
    this.#letGo(owner, ORPHAN);
  }

  #foreground(owner: Found): void {
    const { uid } = owner.object.metadata;
    const dependents = this.#dependents.of(uid);
    const blocks = ({ object }: Found): boolean =>
      object.metadata.ownerReferences?.some((r) => r.uid === uid && r.blockOwnerDeletion === true) ?? false;
    if (!dependents.some(blocks)) return this.#letGo(owner, FOREGROUND);
    for (const dependent of dependents) if (!isBeingDeleted(dependent.object)) this.#collect(dependent);
  }

  /** An object that is owned: kept by any owner that stays, else deleted. */
  #collect(item: Found): void {
    const references = item.object.metadata.ownerReferences ?? [];
    if (references.length === 0) return;
    const lost = new Set<OwnerReference>();
    let isAwaited = false;
    for (const reference of references) {
      const owner = this.#dependents.owner(reference, item);
      if (owner === 'unknown') return;
      if (owner === undefined) lost.add(reference);
      else if (isWaiting(owner)) {
        lost.add(reference);
        isAwaited = true;
      }
    }
    if (lost.size === 0) return;
    if (lost.size < references.length) return this.#release(item, (r) => lost.has(r));
    const hasDependents = this.#dependents.of(item.object.metadata.uid).length > 0;
    const propagation = isAwaited && hasDependents ? 'Foreground' : policyOf(item);
    removeAny(this.#cluster, item.resource, item.object, { propagation });
  }

  #release(item: Found, drops: (reference: OwnerReference) => boolean): void {
    const left = (item.object.metadata.ownerReferences ?? []).filter((r) => !drops(r));
    const ownerReferences = left.length === 0 ? undefined : left;
    rewriteMetadata(this.#cluster, item.resource, item.object, { ownerReferences });
  }

  #letGo({ resource, object }: Found, finalizer: string): void {
    rewriteMetadata(this.#cluster, resource, object, withoutFinalizer(object, finalizer));
  }
}

/** Being deleted in the foreground. */
function isWaiting({ object }: Found): boolean {
  return isBeingDeleted(object) && (object.metadata.finalizers?.includes(FOREGROUND) ?? false);
}

function policyOf({ object }: Found): 'Orphan' | 'Foreground' | 'Background' {
  if (object.metadata.finalizers?.includes(ORPHAN)) return 'Orphan';
  return object.metadata.finalizers?.includes(FOREGROUND) ? 'Foreground' : 'Background';
}
