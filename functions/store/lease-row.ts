import { fromItem, type Item, toItem } from './attribute-value.ts';
import { dueIn, leaseKey } from './table.ts';

/** The lease of one cluster's relays. The row stays when nobody holds it, for its token. */
export interface Lease {
  /** Absent: released. */
  readonly holder?: string;
  /** Of the last acquisition. */
  readonly token: number;
  /** The clock of the function that wrote the row, milliseconds since the epoch. Equal to `renewedAtMs`: not renewed yet. */
  readonly acquiredAtMs: number;
  readonly renewedAtMs: number;
  readonly durationMs: number;
  /** When its relays last looked at all of their keys: at the acquisition, or when they had been asked to. */
  readonly visitedAllAtMs: number;
  /** What the sweep wants looked at, until the holder says that it knows. */
  readonly visit?: Visit;
}

/** Keys to be looked at, on their way to the relay. */
export interface Visit {
  /** Names this list: the sweep's clock when it made it, milliseconds since the epoch. */
  readonly markedAtMs: number;
  /** `<controller>/<key>`, or `*` for all keys of all controllers. */
  readonly keys: readonly string[];
}

/** In a visit: all keys of all controllers. */
export const ALL_KEYS = '*';

/** The partition of the due index in which all leases are. */
export const LEASES = 'leases';

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
  const { holder, token, acquiredAtMs, renewedAtMs, durationMs, visitedAllAtMs, visit } = lease;
  return {
    ...leaseKey(cluster),
    ...dueIn(LEASES, 0),
    ...toItem({
      holder,
      token,
      acquiredAtMs,
      renewedAtMs,
      durationMs,
      visitedAllAtMs,
      ...(visit && visitMembers(visit)),
    }),
  };
}

/** Flat members, so that a condition can name one. */
export function visitMembers({ markedAtMs, keys }: Visit) {
  return { visitMarkedAtMs: markedAtMs, visitKeys: keys };
}

/** Throws on a row that `toLeaseRow` did not make. */
export function fromLeaseRow(item: Item): Lease {
  const { holder, token, acquiredAtMs, renewedAtMs, durationMs, visitedAllAtMs, visitMarkedAtMs, visitKeys } =
    fromItem(item);
  if (typeof token !== 'number' || typeof renewedAtMs !== 'number' || typeof durationMs !== 'number')
    throw new Error('row: not a lease');
  return {
    ...(typeof holder === 'string' && { holder }),
    token,
    acquiredAtMs: typeof acquiredAtMs === 'number' ? acquiredAtMs : 0,
    renewedAtMs,
    durationMs,
    visitedAllAtMs: typeof visitedAllAtMs === 'number' ? visitedAllAtMs : 0,
    ...(typeof visitMarkedAtMs === 'number' &&
      Array.isArray(visitKeys) && { visit: { markedAtMs: visitMarkedAtMs, keys: visitKeys.map(String) } }),
  };
}
