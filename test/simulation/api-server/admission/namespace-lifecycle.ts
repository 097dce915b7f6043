import type { Cluster } from '../cluster.ts';
import { type ApiObject, isBeingDeleted, nameIn } from '../objects.ts';
import { forbidden, notFound } from '../refusals.ts';
import type { Resource } from '../resources/resource.ts';
import { namespaces } from '../strategies/cluster.ts';

/** Nothing is created in a namespace that is not there, or going. */
export function admitToNamespace(cluster: Cluster, resource: Resource, object: ApiObject): void {
  if (!resource.namespaced) return;
  const name = object.metadata.namespace ?? '';
  const namespace = cluster.store.get(namespaces, name);
  if (namespace === undefined) throw notFound(namespaces, name);
  if (!isBeingDeleted(namespace)) return;
  const why = `unable to create new content in namespace ${name} because it is being terminated`;
  const causes = [
    { reason: 'NamespaceTerminating', message: `namespace ${name} is being terminated`, field: 'metadata.namespace' },
  ];
  throw forbidden(resource, nameIn(object), why, causes);
}
