/** Deleting a namespace only marks it; its controller empties it and lets it go. */
import type { Cluster } from '../cluster.ts';
import type { ApiObject } from '../objects.ts';
import type { Resource } from '../resources/resource.ts';
import { type Deleted, remove } from './delete.ts';
import type { DeleteOptions } from './delete-options.ts';

export function removeNamespace(
  cluster: Cluster,
  resource: Resource,
  namespace: ApiObject,
  options: DeleteOptions,
): Deleted {
  if (namespace.metadata.deletionTimestamp !== undefined) {
    const isHeld = namespace.spec?.finalizers !== undefined || namespace.metadata.finalizers !== undefined;
    return isHeld ? { type: 'dying', object: namespace } : remove(cluster, resource, namespace, options);
  }
  const marked = cluster.store.put(resource, {
    ...namespace,
    metadata: { ...namespace.metadata, deletionTimestamp: cluster.now() },
    status: { ...namespace.status, phase: 'Terminating' },
  });
  return { type: 'dying', object: marked };
}
