/** What a new cluster has in it. */
import type { Cluster } from './cluster.ts';
import { copied, frozen, type Value } from './json/value.ts';
import type { CustomResourceDefinition } from './resources/custom-resource.ts';
import type { Resource } from './resources/resource.ts';
import { namespaces } from './strategies/cluster.ts';
import { definitions } from './strategies/definitions.ts';
import { priorityClasses } from './strategies/groups.ts';
import { create } from './writing/create.ts';

const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
const PRIORITIES = { 'system-cluster-critical': 2_000_000_000, 'system-node-critical': 2_000_001_000 };

export function bootstrap(cluster: Cluster, crds: readonly CustomResourceDefinition[]): void {
  const add = (resource: Resource, version: string, body: unknown): void => {
    create(cluster, { resource, version, namespace: '', body: body as Value });
  };
  for (const name of NAMESPACES) add(namespaces, 'v1', { metadata: { name } });
  for (const [name, value] of Object.entries(PRIORITIES)) add(priorityClasses, 'v1', { metadata: { name }, value });
  for (const crd of crds) add(definitions, 'v1', kept(crd));
}

const copies = new WeakMap<CustomResourceDefinition, Value>();

/** Simulations start many clusters with the same definitions: one frozen copy does for all. */
function kept(crd: CustomResourceDefinition): Value {
  let copy = copies.get(crd);
  if (copy === undefined) {
    copy = frozen(copied(crd));
    copies.set(crd, copy);
  }
  return copy;
}
