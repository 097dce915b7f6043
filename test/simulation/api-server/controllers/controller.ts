import type { Cluster } from '../cluster.ts';
import type { ApiObject, Metadata } from '../objects.ts';
import type { Resource } from '../resources/resource.ts';
import type { Change } from '../store/store.ts';
import { storeUpdate } from '../writing/update.ts';

/** One controller of kube-controller-manager: it hears of every change, and works when it is told to. */
export interface Controller {
  heard(resource: Resource, change: Change): void;
  /** Does what is due. */
  pass(): void;
}

/** A new version of an object with some of its members replaced. */
export function rewrite(cluster: Cluster, resource: Resource, old: ApiObject, change: Partial<ApiObject>): ApiObject {
  return storeUpdate(cluster, resource, old, { ...old, metadata: { ...old.metadata }, ...change });
}

/** The same for its metadata; members that are to go are `undefined`. */
export function rewriteMetadata(
  cluster: Cluster,
  resource: Resource,
  old: ApiObject,
  change: { readonly [K in keyof Metadata]?: Metadata[K] | undefined },
): ApiObject {
  const members = Object.entries({ ...old.metadata, ...change }).filter(([, v]) => v !== undefined);
  return rewrite(cluster, resource, old, { metadata: Object.fromEntries(members) as Metadata });
}

export function withoutFinalizer({ metadata }: ApiObject, finalizer: string): { finalizers: string[] | undefined } {
  const left = (metadata.finalizers ?? []).filter((f) => f !== finalizer);
  return { finalizers: left.length === 0 ? undefined : left };
}
