/**
 * Requests and limits of the compute container while they are worked out (launcher-pod.md 10.1): what the VMI's owner asked
 * for, as changed by the steps, wins over what was calculated.
 */
import { add } from '../../core/quantity/arithmetic.ts';
import { formatQuantity } from '../../core/quantity/format.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { type Quantity, wholeQuantity } from '../../core/quantity/quantity.ts';
import type { VmiSpec } from '../pod-types.ts';

export type ResourceList = Map<string, Quantity>;
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

export const ZERO = wholeQuantity(0);

export function openLedger(resources: VmiSpec['domain']['resources']): ResourceLedger {
  return {
    own: { requests: parsed(resources?.requests), limits: parsed(resources?.limits) },
    calculated: { requests: new Map(), limits: new Map() },
  };
}

/** One more of a resource, in requests and limits; where the VMI's owner gave a value, that stays. */
export function bump(ledger: ResourceLedger, resource: string): void {
  for (const list of ['requests', 'limits'] as const) {
    const current = ledger.own[list].get(resource) ?? ledger.calculated[list].get(resource) ?? ZERO;
    ledger.calculated[list].set(resource, add(current, wholeQuantity(1)));
  }
}

/** Adds to a resource of a list that may not be there yet. */
export function increase(list: ResourceList, resource: string, by: Quantity): void {
  list.set(resource, add(list.get(resource) ?? ZERO, by));
}

/** Adds to a resource only where the list has it. */
export function increasePresent(list: ResourceList, resource: string, by: Quantity): void {
  if (list.has(resource)) increase(list, resource, by);
}

export function closeLedger(ledger: ResourceLedger, list: keyof ResourceLists): Record<string, string> {
  const merged = new Map([...ledger.calculated[list], ...ledger.own[list]]);
  return Object.fromEntries([...merged].map(([resource, quantity]) => [resource, formatQuantity(quantity)]));
}

function parsed(list: Readonly<Record<string, string>> | undefined): ResourceList {
  return new Map(
    Object.entries(list ?? {}).flatMap(([resource, text]) => {
      const quantity = parseQuantity(text);
      return quantity === undefined ? [] : [[resource, quantity] as const];
    }),
  );
}
