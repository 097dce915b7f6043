import type { Cluster } from '../cluster.ts';
import type { ApiObject } from '../objects.ts';
import { storageClasses } from '../strategies/storage.ts';

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

/** A claim that names no class gets the default one, if there is one. */
export function defaultClass(cluster: Cluster, claim: ApiObject): void {
  const spec = claim.spec ?? {};
  if (spec.storageClassName !== undefined) return;
  for (const candidate of cluster.store.list(storageClasses))
    if (candidate.metadata.annotations?.[DEFAULT_CLASS] === 'true') spec.storageClassName = candidate.metadata.name;
}

export const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection';
export const VOLUME_PROTECTION = 'kubernetes.io/pv-protection';

/** Claims and volumes are held by a finalizer that their controllers remove when nobody uses them. */
export function protectInUse(_: Cluster, { kind, metadata }: ApiObject): void {
  const finalizer = kind === 'PersistentVolume' ? VOLUME_PROTECTION : CLAIM_PROTECTION;
  if (!metadata.finalizers?.includes(finalizer)) metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
}
