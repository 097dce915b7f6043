/** Objects as they are answered: in the version that was asked for. */
import type { ApiObject } from './objects.ts';
import { groupVersion, type Resource } from './resources/resource.ts';

export function presented(resource: Resource, version: string, object: ApiObject): ApiObject {
  const apiVersion = groupVersion(resource.group, version);
  return object.apiVersion === apiVersion ? object : Object.freeze({ ...object, apiVersion });
}

const items = new WeakMap<ApiObject, object>();

/** An item of a list: of built-in kinds it does not say what it is. */
export function listItem(resource: Resource, version: string, object: ApiObject): object {
  if (resource.strategy.custom) return presented(resource, version, object);
  let item = items.get(object);
  if (item === undefined) {
    const { apiVersion: _, kind: __, ...rest } = object;
    item = Object.freeze(rest);
    items.set(object, item);
  }
  return item;
}
