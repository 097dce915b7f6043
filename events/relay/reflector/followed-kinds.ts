import type { Controller } from '../../../functions/core/controller.ts';
import type { Kind } from '../../../functions/core/kind.ts';
import { KubeVirt, Namespace, PersistentVolumeClaim, ResourceQuota } from '../../../functions/core/kinds.ts';

/** Kinds that have to be known before virt-controller says that it leads (runtime.md 1, step 9). */
export const waitedFor: readonly Kind[] = [PersistentVolumeClaim, Namespace, ResourceQuota];

/**
 * All kinds that the relay lists and watches for these controllers; definitions of custom kinds, and one ConfigMap of KubeVirt's
 * namespace, come on top.
 */
export function followedKinds(controllers: readonly Controller[]): readonly Kind[] {
  const kinds = controllers.flatMap((c) => [
    c.primary,
    ...Object.values(c.reads).map((read) => read.kind),
    ...(c.keys ?? []).map((source) => source.kind),
  ]);
  return [...new Set([KubeVirt, ...kinds, ...waitedFor])];
}
