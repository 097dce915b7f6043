/** Serves what CustomResourceDefinitions define; clears it away when they are deleted. */
import type { Cluster } from '../cluster.ts';
import type { Value } from '../json/value.ts';
import { objAt } from '../json/value.ts';
import { type ApiObject, isBeingDeleted } from '../objects.ts';
import { type CustomResourceDefinition, customResource } from '../resources/custom-resource.ts';
import type { Resource } from '../resources/resource.ts';
import type { Change } from '../store/store.ts';
import { DEFINITION_FINALIZER, definitions } from '../strategies/definitions.ts';
import { remove } from '../writing/delete.ts';
import { type Controller, rewrite, rewriteMetadata, withoutFinalizer } from './controller.ts';

export class Definitions implements Controller {
  readonly #cluster: Cluster;
  readonly #served = new Map<string, Resource>();
  readonly #due = new Set<string>();
  /** Whose instances are still there. */
  readonly #ending = new Set<string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  heard(resource: Resource, { object }: Change): void {
    if (resource === definitions) this.#due.add(object.metadata.name);
  }

  pass(): void {
    const due = [...this.#due, ...this.#ending];
    this.#due.clear();
    for (const name of due) {
      const definition = this.#cluster.store.get(definitions, name);
      if (definition === undefined) this.#ending.delete(name);
      else if (isBeingDeleted(definition)) this.#end(name, definition);
      else this.#serve(name, definition);
    }
  }

  #serve(name: string, definition: ApiObject): void {
    if (this.#served.has(name)) return;
    const resource = customResource(definition as unknown as CustomResourceDefinition);
    this.#served.set(name, resource);
    this.#cluster.catalogue.add(resource);
    const now = this.#cluster.now();
    const finalizers = [...new Set([...(definition.metadata.finalizers ?? []), DEFINITION_FINALIZER])];
    rewrite(this.#cluster, definitions, definition, {
      metadata: { ...definition.metadata, finalizers },
      status: {
        ...definition.status,
        acceptedNames: objAt(definition.spec, 'names') ?? {},
        conditions: [
          condition('NamesAccepted', 'NoConflicts', 'no conflicts found', now),
          condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted', now),
        ],
      },
    });
  }

  #end(name: string, definition: ApiObject): void {
    const { store, catalogue } = this.#cluster;
    const resource = this.#served.get(name);
    this.#ending.add(name);
    if (resource !== undefined) {
      for (const object of store.list(resource)) remove(this.#cluster, resource, object, {});
      if (store.list(resource).length > 0) return;
      catalogue.remove(resource);
      store.forget(resource);
      this.#served.delete(name);
    }
    rewriteMetadata(this.#cluster, definitions, definition, withoutFinalizer(definition, DEFINITION_FINALIZER));
  }
}

function condition(type: string, reason: string, message: string, now: string): Value {
  return { type, status: 'True', reason, message, lastTransitionTime: now };
}
