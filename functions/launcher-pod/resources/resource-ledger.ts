/**
 * Requests and limits of the compute container while they are worked out (launcher-pod.md 10.1): what the VMI's owner asked
 * for, as changed by the steps, wins over what was calculated.
 */
import { add } from '../../core/quantity/arithmetic.ts';
import { formatQuantity } from '../../core/quantity/format.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { type Quantity, wholeQuantity } from '../../core/quantity/quantity.ts';
import type { VmiSpec } from '../pod-types.ts';
import { type Reason, reason } from '../reason.ts';

/** A quantity, and the steps that made it. */
export interface Amount {
  readonly quantity: Quantity;
  readonly because: readonly string[];
}
export type ResourceList = Map<string, Amount>;
export interface ResourceLists {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/** Made for one rendering and changed by its steps, in their order. */
export interface ResourceLedger {
  /** "V" of the specification. */
  readonly own: ResourceLists;
  /** "C" of the specification. */
  readonly calculated: ResourceLists;
}

const ZERO = wholeQuantity(0);

export function openLedger(resources: VmiSpec['domain']['resources']): ResourceLedger {
  return {
    own: { requests: given('requests', resources?.requests), limits: given('limits', resources?.limits) },
    calculated: { requests: new Map(), limits: new Map() },
  };
}

export function amount(quantity: Quantity, ...because: readonly string[]): Amount {
  return { quantity, because };
}

export function quantityIn(list: ResourceList, resource: string): Quantity {
  return list.get(resource)?.quantity ?? ZERO;
}

/** One more of a resource, in requests and limits; where the VMI's owner gave a value, that stays. */
export function bump({ own, calculated }: ResourceLedger, resource: string, because: string): void {
  for (const list of ['requests', 'limits'] as const) {
    const current = own[list].get(resource) ?? calculated[list].get(resource);
    const more = add(current?.quantity ?? ZERO, wholeQuantity(1));
    calculated[list].set(resource, amount(more, ...(current?.because ?? []), because));
  }
}

/** Adds to a resource of a list that may not be there yet. */
export function increase(list: ResourceList, resource: string, by: Quantity, because: string): void {
  const before = list.get(resource);
  const sum = add(before?.quantity ?? ZERO, by);
  list.set(resource, amount(sum, ...(before?.because ?? []), `+ ${formatQuantity(by)} ${because}`));
}

/** Adds to a resource only where the list has it. */
export function increasePresent(list: ResourceList, resource: string, by: Quantity, because: string): void {
  if (list.has(resource)) increase(list, resource, by, because);
}

export function closeLedger(ledger: ResourceLedger, list: keyof ResourceLists): Record<string, string> {
  return Object.fromEntries(
    [...merged(ledger, list)].map(([resource, { quantity }]) => [resource, formatQuantity(quantity)]),
  );
}

/** Why the lists of the compute container hold what they hold. */
export function ledgerReasons(ledger: ResourceLedger): readonly Reason[] {
  return (['requests', 'limits'] as const).flatMap((list) =>
    [...merged(ledger, list)].map(([resource, { because }]) =>
      reason(['spec', 'containers', 'compute', 'resources', list, resource], ...because),
    ),
  );
}

function merged({ calculated, own }: ResourceLedger, list: keyof ResourceLists): ResourceList {
  return new Map([...calculated[list], ...own[list]]);
}

function given(name: keyof ResourceLists, list: Readonly<Record<string, string>> | undefined): ResourceList {
  return new Map(
    Object.entries(list ?? {}).flatMap(([resource, text]) => {
      const quantity = parseQuantity(text);
      const because = `${text} in spec.domain.resources.${name}`;
      return quantity === undefined ? [] : [[resource, amount(quantity, because)] as const];
    }),
  );
}
