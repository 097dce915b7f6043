import { admittedUpdate } from '../admission/admission.ts';
import type { Cluster } from '../cluster.ts';
import { equal, type Value } from '../json/value.ts';
import type { ApiObject } from '../objects.ts';
import { badRequest, cause, conflict, invalid, notFound, STALE, wrongUid } from '../refusals.ts';
import { keyOf, type Resource } from '../resources/resource.ts';
import { create } from './create.ts';
import { keepServersMetadata, validateMetadataUpdate } from './metadata.ts';

export interface Update {
  readonly resource: Resource;
  readonly version: string;
  readonly namespace: string;
  readonly name: string;
  readonly part: 'object' | 'status';
  /** A PUT brings the whole object, a patch makes it of the present one. */
  readonly how:
    | { readonly type: 'put'; readonly body: Value }
    | { readonly type: 'patch'; readonly patched: (old: ApiObject) => Value };
}

export type Updated = { readonly type: 'updated' | 'created'; readonly object: ApiObject };

/** Replaces or patches one object, or its status. Throws `Refusal`. */
export function update(cluster: Cluster, u: Update): Updated {
  const { resource, name, namespace } = u;
  const old = cluster.store.get(resource, keyOf(namespace, name));
  if (u.how.type === 'put') {
    const next = decoded(u, u.how.body);
    if (old !== undefined) return { type: 'updated', object: replace(cluster, u, old, next) };
    if (!resource.strategy.createOnUpdate || u.part === 'status') throw notFound(resource, name);
    if (next.metadata.uid !== undefined) throw wrongUid(resource, namespace, name, next.metadata.uid, '');
    const { metadata } = next;
    delete metadata.resourceVersion;
    const creation = { resource, version: u.version, namespace, body: { ...next, metadata } };
    return { type: 'created', object: create(cluster, creation) };
  }
  if (old === undefined) throw notFound(resource, name);
  return { type: 'updated', object: replace(cluster, u, old, decoded(u, u.how.patched(old))) };
}

function decoded({ resource, version, name, namespace }: Update, body: Value): ApiObject {
  const next = resource.strategy.decode(body, version);
  if (next.metadata.name !== name)
    throw badRequest(
      next.metadata.name === undefined
        ? `name must be provided`
        : `the name of the object (${next.metadata.name}) does not match the name on the URL (${name})`,
    );
  if (!resource.namespaced) delete next.metadata.namespace;
  else if (next.metadata.namespace !== undefined && next.metadata.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  return next;
}

function replace(cluster: Cluster, u: Update, old: ApiObject, next: ApiObject): ApiObject {
  const { resource } = u;
  const { strategy } = resource;
  checkUid(u, old, next);
  checkVersion(resource, old, next);
  keepServersMetadata(next, old);
  const isStatus = u.part === 'status';
  if (!isStatus) admittedUpdate(cluster, resource, next, old);
  if (isStatus) strategy.prepareStatus?.(next, old, cluster.now());
  else {
    strategy.prepareUpdate?.(next, old);
    countGeneration(resource, old, next);
  }
  const causes = [
    ...validateMetadataUpdate(next, old),
    ...((isStatus ? strategy.validateStatus : strategy.validateUpdate)?.(next, old) ?? []),
  ];
  if (causes.length > 0) throw invalid(resource, next.metadata.name, causes);
  return storeUpdate(cluster, resource, old, next);
}

/** Stores a next version. One that equals the old is none; one that lets go of a dying object is its end. */
export function storeUpdate(cluster: Cluster, resource: Resource, old: ApiObject, next: ApiObject): ApiObject {
  const { metadata } = old;
  if (metadata.resourceVersion !== undefined) next.metadata.resourceVersion = metadata.resourceVersion;
  const isDying = metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) === 0;
  if (isDying && (next.metadata.finalizers ?? []).length === 0 && isReleased(next)) {
    cluster.store.delete(resource, old);
    return next;
  }
  const isNothing = equal(next, old) && !(resource.strategy.firstWriteCounts && cluster.isUntouched(old));
  return isNothing ? old : cluster.store.put(resource, next);
}

/** A namespace has finalizers of its own in its spec. */
function isReleased({ kind, spec }: ApiObject): boolean {
  return kind !== 'Namespace' || spec?.finalizers === undefined;
}

/** A PUT is meant for the object with the uid in it. */
function checkUid({ resource, how }: Update, old: ApiObject, next: ApiObject): void {
  const { uid } = next.metadata;
  if (how.type !== 'put' || uid === undefined || uid === old.metadata.uid) return;
  throw wrongUid(resource, old.metadata.namespace ?? '', old.metadata.name, uid, old.metadata.uid ?? '');
}

function checkVersion(resource: Resource, old: ApiObject, next: ApiObject): void {
  const { resourceVersion = '' } = next.metadata;
  if (resourceVersion === old.metadata.resourceVersion) return;
  if (resourceVersion !== '' && resourceVersion !== '0') throw conflict(resource, old.metadata.name, STALE);
  if (resource.strategy.unconditionalUpdate) return;
  const fault = cause.invalid('metadata.resourceVersion', 0, 'must be specified for an update');
  // Unlike other refusals of this sort it names the resource.
  throw invalid(resource, old.metadata.name, [fault], resource.plural);
}

function countGeneration(resource: Resource, old: ApiObject, next: ApiObject): void {
  const { isNewGeneration } = resource.strategy;
  if (isNewGeneration?.(next, old) === true) next.metadata.generation = (old.metadata.generation ?? 0) + 1;
}
