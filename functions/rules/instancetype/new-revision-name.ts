import type { KubeObject } from '../../core/objects.ts';

/** The version of instance types and preferences that is stored, and the only one that is understood. */
export const OBJECT_VERSION = 'v1beta1';

/** `<vm name>-<object name>-<version>-<object uid>-<object generation>` (vm.md 10.2). */
export function newRevisionName(vm: KubeObject, { metadata }: KubeObject): string {
  return `${vm.metadata.name}-${metadata.name}-${OBJECT_VERSION}-${metadata.uid}-${metadata.generation ?? 0}`;
}
