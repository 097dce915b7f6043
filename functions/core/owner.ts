/** Owner references (runtime.md 11, "Controller reference resolution"; vmi.md 17). */
import type { KubeObject, OwnerReference } from './objects.ts';

/** The reference to the object's controller, if it has one. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((r) => r.controller === true);
}

/** Whether the object's controller is that owner, by uid. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  const uid = owner.metadata.uid;
  return uid !== undefined && controllerOf(object)?.uid === uid;
}

/** Whether a reference means that object: by kind, name and uid; the API version does not count. */
export function refersTo(reference: OwnerReference, object: KubeObject): boolean {
  const { kind, metadata } = object;
  return reference.kind === kind && reference.name === metadata.name && reference.uid === metadata.uid;
}

/** A reference that makes the owner an object's controller and blocks its deletion. The owner comes from the API, so it has a uid. */
export function ownerReferenceTo(owner: KubeObject): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  if (metadata.uid === undefined) throw new Error(`${kind} ${metadata.name} has no uid`);
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
}
