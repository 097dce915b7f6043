/** Empties namespaces that are being deleted, pods first, and lets them go. */
import type { Cluster } from '../cluster.ts';
import { isBeingDeleted } from '../objects.ts';
import type { Resource } from '../resources/resource.ts';
import type { Change } from '../store/store.ts';
import { namespaces } from '../strategies/cluster.ts';
import { pods } from '../strategies/pod/strategy.ts';
import { remove } from '../writing/delete.ts';
import { type Controller, rewrite } from './controller.ts';

export class NamespaceDeletion implements Controller {
  readonly #cluster: Cluster;
  readonly #ending = new Set<string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  heard(resource: Resource, { type, object }: Change): void {
    if (resource !== namespaces) return;
    if (type === 'DELETED') this.#ending.delete(object.metadata.name);
    else if (isBeingDeleted(object)) this.#ending.add(object.metadata.name);
  }

  pass(): void {
    for (const name of this.#ending) this.#empty(name);
  }

  #empty(name: string): void {
    const namespace = this.#cluster.store.get(namespaces, name);
    if (namespace === undefined) return;
    if (!this.#clear(pods, name)) return;
    let left = false;
    for (const resource of this.#cluster.catalogue.all())
      if (resource.namespaced && !this.#clear(resource, name)) left = true;
    if (left || namespace.spec?.finalizers === undefined) return;
    const released = rewrite(this.#cluster, namespaces, namespace, { spec: {} });
    if (this.#cluster.store.get(namespaces, name) !== undefined && released.metadata.finalizers === undefined)
      this.#cluster.store.delete(namespaces, released);
  }

  /** Whether none are left. */
  #clear(resource: Resource, namespace: string): boolean {
    const objects = this.#cluster.store.list(resource, namespace);
    for (const object of objects)
      if (!isBeingDeleted(object)) remove(this.#cluster, resource, object, { propagation: 'Background' });
    return objects.length === 0 || this.#cluster.store.list(resource, namespace).length === 0;
  }
}
