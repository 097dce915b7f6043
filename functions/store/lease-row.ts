import { fromItem, type Item, toItem } from './attribute-value.ts';
import { leaseKey } from './table.ts';

/** The lease of one cluster's relays. The row stays when nobody holds it, for its token. */
export interface Lease {
  /** Absent: released. */
  readonly holder?: string;
  /** Of the last acquisition. */
  readonly token: number;
  /** The clock of the function that wrote the row, milliseconds since the epoch. */
  readonly renewedAtMs: number;
  readonly durationMs: number;
}

/** How far the clocks of two functions may be apart. */
export const SKEW_MS = 2_000;

/**
 * From when on another may take the lease. Judged by the stored time, since a function has no memory of when it first saw
 * the row; two holders at once would need clocks further apart than `SKEW_MS`.
 */
export function expiresAtMs(lease: Lease): number {
  return lease.renewedAtMs + lease.durationMs + SKEW_MS;
}

/** Whether that token may act. A released or passed-on lease refuses writes in flight; an expired one that nobody took does not. */
export function isHeldUnder(lease: Lease | undefined, token: number): boolean {
  return lease?.holder !== undefined && lease.token === token;
}

export function toLeaseRow(cluster: string, lease: Lease): Item {
  return { ...leaseKey(cluster), ...toItem({ ...lease }) };
}

/** Throws on a row that `toLeaseRow` did not make. */
export function fromLeaseRow(item: Item): Lease {
  const { holder, token, renewedAtMs, durationMs } = fromItem(item);
  if (typeof token !== 'number' || typeof renewedAtMs !== 'number' || typeof durationMs !== 'number')
    throw new Error('row: not a lease');
  return { ...(typeof holder === 'string' && { holder }), token, renewedAtMs, durationMs };
}
