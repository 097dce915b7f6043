import { compare } from '../../../../functions/core/quantity/arithmetic.ts';
import { parseQuantity } from '../../../../functions/core/quantity/parse.ts';
import type { Cluster } from '../cluster.ts';
import { textAt } from '../json/value.ts';
import { type ApiObject, nameIn } from '../objects.ts';
import { forbidden } from '../refusals.ts';
import { persistentVolumeClaims, storageClasses } from '../strategies/storage.ts';

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

/** A bound claim may ask for more where its class can give more. */
export function admitGrowth(cluster: Cluster, claim: ApiObject, old: ApiObject): void {
  if (textAt(old.status, 'phase') !== 'Bound' || !isMore(claim, old)) return;
  const found = cluster.store.get(storageClasses, textAt(old.spec, 'storageClassName') ?? '');
  if (found?.allowVolumeExpansion === true) return;
  const why =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  throw forbidden(persistentVolumeClaims, nameIn(claim), why);
}

function isMore(claim: ApiObject, old: ApiObject): boolean {
  const [wanted, had] = [claim, old].map(({ spec }) => {
    return parseQuantity(textAt(spec, 'resources', 'requests', 'storage') ?? '0');
  });
  return wanted !== undefined && had !== undefined && compare(wanted, had) > 0;
}
