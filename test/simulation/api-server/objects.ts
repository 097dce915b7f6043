import type { ObjectMeta, OwnerReference as ObjectOwnerReference } from '../../../functions/core/objects.ts';
import type { Obj, Value } from './json/value.ts';

/** A type with the same members that counts as JSON, which an interface does not. */
type Plain<T> = { [K in keyof T]: T[K] };

export type OwnerReference = Plain<ObjectOwnerReference>;

export type Metadata = Plain<Omit<ObjectMeta, 'ownerReferences'>> & { ownerReferences?: OwnerReference[] };

/** An object of the API. In the store it is frozen; while a request makes a new version of it, that one is not. */
export type ApiObject = {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  spec?: Obj;
  status?: Obj;
  [member: string]: Value | undefined;
};

/** The name that an object has, or will be generated from. */
export function nameIn({ metadata: { name, generateName } }: ApiObject): string {
  return name || generateName || '';
}

export function isBeingDeleted(object: ApiObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
