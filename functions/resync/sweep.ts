import { isShadow } from '../core/shadow.ts';
import type { Clock } from '../http/clock.ts';
import { clustersOf, type DueKey, dueKeys } from '../store/due-index.ts';
import { readLease } from '../store/lease.ts';
import { ALL_KEYS, expiresAtMs, type Lease } from '../store/lease-row.ts';
import type { Table } from '../store/table.ts';
import { markVisit } from '../store/visit.ts';

/** A key counts as overdue so long after its due time: that is kept to the minute, and the relay may be busy. */
const GRACE_MS = 2 * 60_000;
/** After so long all keys are looked at again, whatever relays do by themselves. */
const FULL_VISIT_EVERY_MS = 24 * 3_600_000;
/** Keys that one sweep asks for: those that wait longest. They travel with each heartbeat until they have arrived. */
const MAX_NAMED = 100;

/** What a sweep found in one cluster. */
export interface Finding {
  readonly cluster: string;
  /** `held`: a relay is at work. `unheld`: the lease was given up or ran out, and nobody took it. */
  readonly lease: 'held' | 'unheld';
  /** How many keys are overdue, as far as one sweep counts. */
  readonly overdueKeys: number;
  /** By how much the oldest of them is, milliseconds; 0: none is. */
  readonly oldestOverdueMs: number;
  /** Whether all keys were asked for. */
  readonly asksForAll: boolean;
}

/**
 * Looks at all clusters of the table: finds keys whose time has passed, and asks the relay to look at them with its next
 * heartbeat; likewise at all keys when it has not done that for a day. What changes nothing costs reads only.
 */
export async function sweep(table: Table, clock: Clock): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const cluster of await clustersOf(table)) {
    // Nobody depends on a shadow: it comes and goes, and what it did not look at, it looks at when it comes again.
    if (isShadow(cluster)) continue;
    const lease = await readLease(table, cluster);
    if (lease !== undefined) findings.push(await sweepCluster(table, cluster, lease, clock()));
  }
  return findings;
}

async function sweepCluster(table: Table, cluster: string, lease: Lease, nowMs: number): Promise<Finding> {
  const overdue = await dueKeys(table, cluster, nowMs - GRACE_MS, MAX_NAMED);
  const isHeld = lease.holder !== undefined && nowMs <= expiresAtMs(lease);
  const asksForAll = isHeld && nowMs - lease.visitedAllAtMs >= FULL_VISIT_EVERY_MS;
  const keys = [...(asksForAll ? [ALL_KEYS] : []), ...overdue.map(nameOf)];
  // Without a holder there is nobody to ask; whoever takes the lease begins with all keys.
  if (isHeld && keys.length > 0) await markVisit(table, cluster, lease.token, { markedAtMs: nowMs, keys });
  const [oldest] = overdue;
  return {
    cluster,
    lease: isHeld ? 'held' : 'unheld',
    overdueKeys: overdue.length,
    oldestOverdueMs: oldest === undefined ? 0 : nowMs - oldest.dueAtMs,
    asksForAll,
  };
}

function nameOf({ controller, key }: DueKey): string {
  return `${controller}/${key}`;
}
