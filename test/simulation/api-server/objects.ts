import type { Obj, Value } from './json/value.ts';

export type OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

export type Metadata = {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
};

/** An object of the API. In the store it is frozen; while a request makes a new version of it, that one is not. */
export type ApiObject = {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
  spec?: Obj;
  status?: Obj;
  [member: string]: Value | undefined;
};

/** A time as Kubernetes writes it: RFC 3339 in UTC, whole seconds. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The name that an object has, or will be generated from. */
export function nameIn({ metadata: { name, generateName } }: ApiObject): string {
  return name || generateName || '';
}

export function isBeingDeleted(object: ApiObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
