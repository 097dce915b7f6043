/** ResourceQuota: a namespace's limits, checked and charged as objects are created. */
import { add, compare } from '../../../../../functions/core/quantity/arithmetic.ts';
import { formatQuantity } from '../../../../../functions/core/quantity/format.ts';
import { parseQuantity } from '../../../../../functions/core/quantity/parse.ts';
import { type Quantity, wholeQuantity } from '../../../../../functions/core/quantity/quantity.ts';
import type { Cluster } from '../../cluster.ts';
import { objAt } from '../../json/value.ts';
import { type ApiObject, nameIn } from '../../objects.ts';
import { forbidden } from '../../refusals.ts';
import type { Resource } from '../../resources/resource.ts';
import { resourceQuotas } from '../../strategies/core.ts';
import { mustSpecify } from './must-specify.ts';
import { type Amounts, usage, written } from './usage.ts';

export function chargeQuotas(cluster: Cluster, resource: Resource, object: ApiObject): void {
  const quotas = cluster.store.list(resourceQuotas, object.metadata.namespace);
  if (quotas.length === 0) return;
  const costs = usage(resource, object);
  const charges = quotas.flatMap((quota) => {
    const charged = check(quota, resource, object, costs);
    return charged === undefined ? [] : [charged];
  });
  for (const charged of charges) cluster.store.put(resourceQuotas, charged);
}

/** The quota with the object's costs in it; `undefined`: it costs it nothing. Throws `Refusal`. */
function check(quota: ApiObject, resource: Resource, object: ApiObject, costs: Amounts): ApiObject | undefined {
  const hard = objAt(quota.status, 'hard') ?? {};
  const used = objAt(quota.status, 'used') ?? {};
  const { name } = quota.metadata;
  const refuse = (why: string) => forbidden(resource, nameIn(object), why);
  if (resource.kind === 'Pod') {
    const missing = mustSpecify(object, Object.keys(hard));
    if (missing !== '') throw refuse(`failed quota: ${name}: must specify ${missing}`);
  }
  const charged = Object.keys(costs)
    .filter((r) => hard[r] !== undefined)
    .sort();
  // Before its controller has seen it nobody knows what is left.
  const unknown = Object.keys(costs).filter((r) => hard[r] !== undefined && used[r] === undefined);
  if (unknown.length > 0) throw refuse(`status unknown for quota: ${name}, resources: ${unknown.sort().join(',')}`);
  if (charged.length === 0) return undefined;
  const total = Object.fromEntries(charged.map((r) => [r, add(read(used[r]), costs[r] ?? ZERO)]));
  const exceeded = charged.filter((r) => compare(total[r] ?? ZERO, read(hard[r])) > 0);
  if (exceeded.length > 0) {
    const say = (amount: (r: string) => Quantity): string =>
      exceeded.map((r) => `${r}=${formatQuantity(amount(r))}`).join(',');
    throw refuse(
      `exceeded quota: ${name}, requested: ${say((r) => costs[r] ?? ZERO)}, used: ${say((r) => read(used[r]))}, limited: ${say((r) => read(hard[r]))}`,
    );
  }
  return {
    ...quota,
    metadata: { ...quota.metadata },
    status: { ...quota.status, used: { ...used, ...written(total) } },
  };
}

const ZERO = wholeQuantity(0);

function read(value: unknown): Quantity {
  return (typeof value === 'string' ? parseQuantity(value) : undefined) ?? ZERO;
}
