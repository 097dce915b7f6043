/** Sums, comparison and rounding of quantities (launcher-pod.md 20). */
import { NANO, type Quantity } from './quantity.ts';

/** The sum keeps the family of its left operand, unless that is zero, then of the right. */
export function add(left: Quantity, right: Quantity): Quantity {
  return { nano: left.nano + right.nano, format: left.nano === 0n ? right.format : left.format };
}

export function isZero(quantity: Quantity | undefined): boolean {
  return quantity === undefined || quantity.nano === 0n;
}

/** Negative, zero or positive, as `left` is less than, equal to or greater than `right`. */
export function compare(left: Quantity, right: Quantity): number {
  if (left.nano === right.nano) return 0;
  return left.nano < right.nano ? -1 : 1;
}

/** The smallest whole number that is not below the value ("rounded up"). */
export function ceil(quantity: Quantity | undefined): bigint {
  if (quantity === undefined) return 0n;
  const floor = quantity.nano / NANO;
  return quantity.nano > 0n && quantity.nano % NANO !== 0n ? floor + 1n : floor;
}
