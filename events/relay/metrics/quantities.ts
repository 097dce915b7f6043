import { parseQuantity } from '../../../functions/core/quantity/parse.ts';
import { NANO } from '../../../functions/core/quantity/quantity.ts';

/** A quantity as the number of its units (bytes, cores); `undefined` where it is absent, unreadable or zero. */
export function unitsOf(text: string | number | undefined | null): number | undefined {
  if (text === undefined || text === null) return undefined;
  const quantity = parseQuantity(text);
  if (quantity === undefined || quantity.nano === 0n) return undefined;
  return quantity.nano % NANO === 0n ? Number(quantity.nano / NANO) : Number(quantity.nano) / Number(NANO);
}
