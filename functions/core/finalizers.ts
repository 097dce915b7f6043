/** Finalizers of an object (vmi.md 3.5). The functions are pure; an object that needs no change is returned itself. */
import type { KubeObject } from './objects.ts';

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true;
}

/** With the finalizer at the end of the list, unless it is in it. */
export function addFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  if (hasFinalizer(object, finalizer)) return object;
  return withFinalizers(object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/** Without all entries that equal the finalizer; the last one's removal makes the list absent. */
export function removeFinalizer<T extends KubeObject>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object;
  return withFinalizers(object, object.metadata.finalizers?.filter((f) => f !== finalizer) ?? []);
}

function withFinalizers<T extends KubeObject>(object: T, finalizers: string[]): T {
  const { finalizers: _, ...metadata } = object.metadata;
  return { ...object, metadata: finalizers.length === 0 ? metadata : { ...metadata, finalizers } };
}
