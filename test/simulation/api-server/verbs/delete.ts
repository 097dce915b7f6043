import type { Cluster } from '../cluster.ts';
import type { Value } from '../json/value.ts';
import type { ApiObject } from '../objects.ts';
import type { StatusObject } from '../ports.ts';
import { listItem, presented } from '../presented.ts';
import { notFound } from '../refusals.ts';
import { groupVersion, keyOf, type Resource } from '../resources/resource.ts';
import type { Route } from '../routes.ts';
import { selectionOf } from '../selectors/selection.ts';
import { namespaces } from '../strategies/cluster.ts';
import { type Deleted, remove } from '../writing/delete.ts';
import { type DeleteOptions, deleteOptions } from '../writing/delete-options.ts';
import { removeNamespace } from '../writing/remove-namespace.ts';

/** One object; the answer's body. Throws `Refusal`. */
export function deleteOne(cluster: Cluster, resource: Resource, route: Route, body: Value | undefined): object {
  const options = deleteOptions(body, route.query);
  const object = cluster.store.get(resource, keyOf(route.namespace, route.name));
  if (object === undefined) throw notFound(resource, route.name);
  const deleted = removeAny(cluster, resource, object, options);
  if (deleted.type === 'dying' || resource.strategy.returnsDeleted)
    return presented(resource, route.version, deleted.object);
  return success(resource, deleted.object);
}

/** All that a selector finds; a list of them as they were. */
export function deleteMany(cluster: Cluster, resource: Resource, route: Route, body: Value | undefined): object {
  const options = deleteOptions(body, route.query);
  const { version } = cluster.store;
  const { selects } = selectionOf(route.query, resource);
  const found = cluster.store.list(resource, route.namespace).filter(selects);
  for (const object of found) removeAny(cluster, resource, object, options);
  return {
    kind: `${resource.kind}List`,
    apiVersion: groupVersion(resource.group, route.version),
    metadata: { ...(resource.strategy.custom ? { continue: '' } : {}), resourceVersion: String(version) },
    items: found.map((object) => listItem(resource, route.version, object)),
  };
}

/** Namespaces go in a way of their own. */
export function removeAny(cluster: Cluster, resource: Resource, object: ApiObject, options: DeleteOptions): Deleted {
  return resource === namespaces
    ? removeNamespace(cluster, resource, object, options)
    : remove(cluster, resource, object, options);
}

function success({ group, plural }: Resource, { metadata }: ApiObject): StatusObject {
  const uid = metadata.uid === undefined ? {} : { uid: metadata.uid };
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: metadata.name, ...(group === '' ? {} : { group }), kind: plural, ...uid },
  };
}
