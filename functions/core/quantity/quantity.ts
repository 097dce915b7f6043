/**
 * Kubernetes quantities, exact (launcher-pod.md 20, runtime.md 11.1 rule 4).
 *
 * A quantity is a whole number of billionths together with the family of suffixes in which it is written.
 */
import { formatQuantity } from './format.ts';
import { parseQuantity } from './parse.ts';

/** `exponent` is the family of `12e6`: powers of ten that are multiples of three. */
export type QuantityFormat = 'decimal' | 'binary' | 'exponent';

export interface Quantity {
  /** The value in units of 10^-9. */
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

export const NANO = 1_000_000_000n;

/** A whole number of units (bytes, cores, devices). */
export function wholeQuantity(units: bigint | number, format: QuantityFormat = 'decimal'): Quantity {
  return { nano: BigInt(units) * NANO, format };
}

/**
 * A quantity's text as the API writes it: the largest suffix of its family that leaves an integer (`1024Mi` -> `1Gi`,
 * `0.5` -> `500m`). Text that is no quantity stays as it is: it is the API server's to refuse.
 */
export function canonicalQuantity(text: string): string {
  const quantity = parseQuantity(text);
  return quantity === undefined ? text : formatQuantity(quantity);
}
