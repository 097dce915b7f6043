import { admitted, beforeStoring } from '../admission/admission.ts';
import type { Cluster } from '../cluster.ts';
import type { Value } from '../json/value.ts';
import { type ApiObject, isBeingDeleted } from '../objects.ts';
import { alreadyExists, badRequest, cause, invalid, Refusal } from '../refusals.ts';
import { keyOf, type Resource } from '../resources/resource.ts';
import { generatedName } from './generated-name.ts';
import { validateMetadata } from './metadata.ts';

export interface Creation {
  readonly resource: Resource;
  readonly version: string;
  /** Empty for kinds of the cluster. */
  readonly namespace: string;
  readonly body: Value;
}

const GENERATE_TRIES = 8;

/** Creates one object; what is stored. Throws `Refusal`. */
export function create(cluster: Cluster, { resource, version, namespace, body }: Creation): ApiObject {
  const { strategy } = resource;
  const object = strategy.decode(body, version);
  inNamespace(object, resource, namespace);
  if ((object.metadata.resourceVersion ?? '') !== '')
    throw new Refusal(500, '', 'resourceVersion should not be set on objects to be created');
  admitted(cluster, resource, object);
  strategy.prepareCreate?.(object, cluster.now());
  systemFields(cluster, resource, object);
  const causes = [...validateMetadata(object, resource), ...(strategy.validate?.(object) ?? [])];
  if (causes.length > 0) throw invalid(resource, object.metadata.name, causes);
  beforeStoring(cluster, resource, object);
  const present = cluster.store.get(resource, keyOf(object.metadata.namespace, object.metadata.name));
  if (present !== undefined)
    throw alreadyExists(
      resource,
      object.metadata.name,
      isBeingDeleted(present),
      object.metadata.generateName !== undefined,
    );
  return cluster.untouched(cluster.store.put(resource, object));
}

function inNamespace(object: ApiObject, resource: Resource, namespace: string): void {
  const { metadata } = object;
  if (!resource.namespaced) {
    delete metadata.namespace;
    return;
  }
  if (metadata.namespace !== undefined && metadata.namespace !== namespace)
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
  metadata.namespace = namespace;
}

function systemFields(cluster: Cluster, resource: Resource, object: ApiObject): void {
  const { metadata } = object;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  metadata.uid = cluster.ports.uuid();
  metadata.creationTimestamp = cluster.now();
  if (resource.strategy.isNewGeneration !== undefined) metadata.generation = 1;
  if (metadata.name !== undefined && metadata.name !== '') return;
  if (metadata.generateName === undefined)
    throw invalid(resource, '', [cause.required('metadata.name', 'name or generateName is required')]);
  metadata.name = freeName(cluster, resource, object, metadata.generateName);
}

function freeName(cluster: Cluster, resource: Resource, { metadata }: ApiObject, base: string): string {
  let name = generatedName(base, cluster.ports.random);
  for (let i = 1; i < GENERATE_TRIES && cluster.store.get(resource, keyOf(metadata.namespace, name)) !== undefined; i++)
    name = generatedName(base, cluster.ports.random);
  return name;
}
