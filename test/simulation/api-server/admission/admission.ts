/** The admission plugins that are on by default, as far as they touch the kinds at hand, in their order. */
import type { Cluster } from '../cluster.ts';
import type { ApiObject } from '../objects.ts';
import type { Resource } from '../resources/resource.ts';
import { pods } from '../strategies/pod/strategy.ts';
import { persistentVolumeClaims } from '../strategies/storage.ts';
import { allocateAddress } from './cluster-address.ts';
import { admitToNamespace } from './namespace-lifecycle.ts';
import { defaultTolerations } from './pod/default-tolerations.ts';
import { priority } from './pod/priority.ts';
import { runtimeClass } from './pod/runtime-class.ts';
import { serviceAccount } from './pod/service-account.ts';
import { chargeQuotas } from './quota/admission.ts';
import { admitGrowth, defaultClass, protectInUse } from './storage.ts';
import { taintNewNode } from './taint-new-node.ts';

type Plugin = (cluster: Cluster, object: ApiObject) => void;

const plugins: Readonly<Record<string, readonly Plugin[]>> = {
  Pod: [serviceAccount, priority, defaultTolerations, runtimeClass],
  Node: [taintNewNode],
  PersistentVolumeClaim: [defaultClass, protectInUse],
  PersistentVolume: [protectInUse],
  Service: [allocateAddress],
};

/** Before a new object is looked at any further. Changes it; throws `Refusal`. */
export function admitted(cluster: Cluster, resource: Resource, object: ApiObject): void {
  admitToNamespace(cluster, resource, object);
  if (resource.strategy.custom) return;
  for (const plugin of plugins[resource.kind] ?? []) plugin(cluster, object);
}

/** A changed object, but for changes of its status. */
export function admittedUpdate(cluster: Cluster, resource: Resource, object: ApiObject, old: ApiObject): void {
  if (resource === pods) defaultTolerations(cluster, object);
  if (resource === persistentVolumeClaims) admitGrowth(cluster, object, old);
}

/** When nothing else can refuse it but its name. */
export function beforeStoring(cluster: Cluster, resource: Resource, object: ApiObject): void {
  if (resource.namespaced) chargeQuotas(cluster, resource, object);
}
