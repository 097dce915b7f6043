import { compare, isZero } from '../../../../../functions/core/quantity/arithmetic.ts';
import { parseQuantity } from '../../../../../functions/core/quantity/parse.ts';
import type { Quantity } from '../../../../../functions/core/quantity/quantity.ts';
import { type Obj, objAt } from '../../json/value.ts';
import type { ApiObject } from '../../objects.ts';
import { allContainersOf } from './containers.ts';

const COUNTED = ['cpu', 'memory'];

/** Guaranteed: all containers limit CPU and memory, at what they request. BestEffort: none says anything. */
export function qosClass(pod: ApiObject): string {
  const containers = allContainersOf(pod);
  const requests = containers.flatMap((c) => COUNTED.map((r) => amount(c, 'requests', r)));
  const limits = containers.flatMap((c) => COUNTED.map((r) => amount(c, 'limits', r)));
  if ([...requests, ...limits].every((q) => q === undefined)) return 'BestEffort';
  const isGuaranteed = limits.every((limit, i) => {
    const request = requests[i];
    return limit !== undefined && (request === undefined || compare(limit, request) === 0);
  });
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

function amount(container: Obj, list: string, resource: string): Quantity | undefined {
  const value = objAt(container, 'resources', list)?.[resource];
  const quantity = typeof value === 'string' ? parseQuantity(value) : undefined;
  return isZero(quantity) ? undefined : quantity;
}
