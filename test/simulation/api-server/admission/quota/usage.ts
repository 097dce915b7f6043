/** What an object costs of a quota. */
import { add, compare } from '../../../../../functions/core/quantity/arithmetic.ts';
import { formatQuantity } from '../../../../../functions/core/quantity/format.ts';
import { parseQuantity } from '../../../../../functions/core/quantity/parse.ts';
import { type Quantity, wholeQuantity } from '../../../../../functions/core/quantity/quantity.ts';
import { type Obj, objAt, textAt } from '../../json/value.ts';
import type { ApiObject } from '../../objects.ts';
import type { Resource } from '../../resources/resource.ts';
import { containersOf, initContainersOf, isRestartable } from '../../strategies/pod/containers.ts';

export type Amounts = Readonly<Record<string, Quantity>>;

/** Older names of what a count may also be called. */
const COUNTED = new Set(['pods', 'services', 'secrets', 'configmaps', 'persistentvolumeclaims', 'resourcequotas']);

export function usage(resource: Resource, object: ApiObject): Amounts {
  const one = wholeQuantity(1);
  const counted = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
  const counts: Record<string, Quantity> = { [`count/${counted}`]: one };
  if (resource.kind === 'Pod' && resource.group === '')
    return hasEnded(object) ? counts : { ...counts, ...podUsage(object) };
  if (resource.group === '' && COUNTED.has(resource.plural)) counts[resource.plural] = one;
  if (resource.kind === 'PersistentVolumeClaim') {
    const storage = read(objAt(object.spec, 'resources', 'requests')?.storage);
    if (storage !== undefined) counts['requests.storage'] = storage;
  }
  return counts;
}

function hasEnded(pod: ApiObject): boolean {
  const phase = textAt(pod.status, 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

function podUsage(pod: ApiObject): Amounts {
  const used: Record<string, Quantity> = { pods: wholeQuantity(1) };
  for (const [resource, amount] of Object.entries(podTotal(pod, 'requests'))) {
    used[`requests.${resource}`] = amount;
    if (resource === 'cpu' || resource === 'memory' || resource === 'ephemeral-storage') used[resource] = amount;
  }
  for (const [resource, amount] of Object.entries(podTotal(pod, 'limits'))) used[`limits.${resource}`] = amount;
  return used;
}

/** Containers run at once, sidecars beside them; init containers one after another, beside the sidecars before them. */
function podTotal(pod: ApiObject, list: 'requests' | 'limits'): Amounts {
  const total: Record<string, Quantity> = {};
  const sidecars: Record<string, Quantity> = {};
  const peak: Record<string, Quantity> = {};
  for (const container of containersOf(pod)) sum(total, amounts(container, list));
  for (const container of initContainersOf(pod)) {
    const own = amounts(container, list);
    if (isRestartable(container)) sum(sidecars, own);
    const running = { ...sidecars };
    if (!isRestartable(container)) sum(running, own);
    raise(peak, running);
  }
  sum(total, sidecars);
  raise(total, peak);
  sum(total, parsed(objAt(pod.spec, 'overhead')));
  return total;
}

function amounts(container: Obj, list: string): Amounts {
  return parsed(objAt(container, 'resources', list));
}

function parsed(list: Obj | undefined): Amounts {
  const entries = Object.entries(list ?? {}).map(([name, v]) => [name, read(v)] as const);
  return Object.fromEntries(entries.filter((e): e is [string, Quantity] => e[1] !== undefined));
}

function read(value: unknown): Quantity | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
}

export function sum(into: Record<string, Quantity>, more: Amounts): void {
  for (const [name, amount] of Object.entries(more)) {
    const have = into[name];
    into[name] = have === undefined ? amount : add(have, amount);
  }
}

function raise(into: Record<string, Quantity>, to: Amounts): void {
  for (const [name, amount] of Object.entries(to)) {
    const have = into[name];
    if (have === undefined || compare(have, amount) < 0) into[name] = amount;
  }
}

export function written(amounts: Amounts): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, formatQuantity(amount)]));
}
