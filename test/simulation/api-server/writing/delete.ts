/**
 * Deletion: at once, after a grace period, or once the finalizers are gone.
 *
 * ```text
 *  there --DELETE, nothing holds it--> gone
 *  there --DELETE, grace > 0-----------> dying (timestamp in the future) --DELETE with less grace, 0--> gone
 *  there --DELETE, finalizers----------> dying (grace 0) --last finalizer removed--> gone
 * ```
 */

import { timestamp } from '../../../../functions/core/context.ts';
import type { Cluster } from '../cluster.ts';
import { type ApiObject } from '../objects.ts';
import { conflict } from '../refusals.ts';
import type { Resource } from '../resources/resource.ts';
import type { DeleteOptions } from './delete-options.ts';

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

export type Deleted =
  /** Its last state. */
  { readonly type: 'gone'; readonly object: ApiObject } | { readonly type: 'dying'; readonly object: ApiObject };

/** Deletes an object that is there. Throws `Refusal` when a precondition fails. */
export function remove(cluster: Cluster, resource: Resource, object: ApiObject, options: DeleteOptions): Deleted {
  checkPreconditions(resource, object, options);
  const finalizers = finalizersFor(object, options);
  const graceful = graceOf(cluster, resource, object, options);
  const holds = finalizers.length > 0;
  if (graceful.type === 'pending') return { type: 'dying', object };
  if (graceful.type === 'none' && !holds) return { type: 'gone', object: cluster.store.delete(resource, object) };
  const marked = mark(cluster, object, finalizers, graceful);
  const stored = marked === undefined ? object : cluster.store.put(resource, marked);
  if (holds || (stored.metadata.deletionGracePeriodSeconds ?? 0) > 0) return { type: 'dying', object: stored };
  return { type: 'gone', object: cluster.store.delete(resource, stored) };
}

type Grace =
  /** The kind knows no grace, or it has been given already and is over. */
  | { readonly type: 'none' }
  /** Given already, and not to be shortened. */
  | { readonly type: 'pending' }
  | { readonly type: 'given'; readonly seconds: number; readonly at: string };

function graceOf(
  cluster: Cluster,
  resource: Resource,
  { metadata, ...rest }: ApiObject,
  options: DeleteOptions,
): Grace {
  const { graceSeconds } = resource.strategy;
  if (metadata.deletionTimestamp !== undefined) {
    const given = metadata.deletionGracePeriodSeconds ?? 0;
    if (given === 0) return { type: 'none' };
    const asked = options.graceSeconds;
    if (asked === undefined || asked >= given) return { type: 'pending' };
    const seconds = Math.max(asked, 0);
    return { type: 'given', seconds, at: timestamp(Date.parse(metadata.deletionTimestamp) + (seconds - given) * 1000) };
  }
  if (graceSeconds === undefined) return { type: 'none' };
  const seconds = graceSeconds({ metadata, ...rest } as ApiObject, options.graceSeconds);
  return { type: 'given', seconds, at: timestamp(cluster.ports.now() + seconds * 1000) };
}

/** The object as dying; `undefined`: it is that already, in the same way. */
function mark(cluster: Cluster, object: ApiObject, finalizers: string[], grace: Grace): ApiObject | undefined {
  const { metadata } = object;
  const isNew = metadata.deletionTimestamp === undefined;
  const given = grace.type === 'given' ? grace : { seconds: 0, at: cluster.now() };
  const sameFinalizers = finalizers.join() === (metadata.finalizers ?? []).join();
  if (!isNew && grace.type !== 'given' && sameFinalizers) return undefined;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(isNew || grace.type === 'given'
        ? { deletionTimestamp: given.at, deletionGracePeriodSeconds: given.seconds }
        : {}),
      ...(isNew && metadata.generation !== undefined ? { generation: metadata.generation + 1 } : {}),
      ...(sameFinalizers ? {} : { finalizers }),
    },
  };
}

/** What the garbage collector has to do first is a finalizer; asking for another policy takes it back. */
function finalizersFor({ metadata }: ApiObject, { propagation }: DeleteOptions): string[] {
  const held = metadata.finalizers ?? [];
  if (propagation === undefined) return [...held];
  const wanted = propagation === 'Orphan' ? ORPHAN : propagation === 'Foreground' ? FOREGROUND : undefined;
  const others = held.filter((f) => f !== ORPHAN && f !== FOREGROUND);
  if (wanted === undefined) return others;
  return held.includes(wanted) && others.length === held.length - 1 ? [...held] : [...others, wanted];
}

function checkPreconditions(
  resource: Resource,
  { metadata }: ApiObject,
  { uid, resourceVersion }: DeleteOptions,
): void {
  // Such a refusal names the kind.
  const byKind = { ...resource, plural: resource.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(byKind, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(byKind, metadata.name, why);
  }
}
