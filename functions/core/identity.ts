import type { EventAction } from './action.ts';
import type { KubeObject } from './objects.ts';

/** Of an object what tells which one it is, and in which version: projections begin with it. */
export function identityOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } };
}

/** The same, as an event says what it is about. */
export function regarding({ apiVersion, kind, metadata }: KubeObject): EventAction['regarding'] {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, namespace, name, uid, resourceVersion };
}
