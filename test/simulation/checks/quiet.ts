import type { World, Write } from '../world/world.ts';

/** What was on its way at the last change may arrive, be missed and be tried again. */
export const REST_MS = 60_000;
/** By then relays that were started anew lead, and have visited all. */
const REVISIT_MS = 40_000;
const MOST_TOLD = 5;

/**
 * Invariant 1 of the design: after the last outside change, and some rest, no further write happens, lease renewals and node
 * heartbeats aside. Then each key is looked at once more, by a relay that is started anew: one that was forgotten in another state
 * than the wanted shows as a write.
 *
 * A key that can't be brought to its wanted state is tried again for ever, and tells so each time; and a relay that was started
 * anew knows nothing of what its predecessor told. Such events are no unrest.
 */
export async function staysQuiet(
  world: World,
  { restMs = REST_MS, quietMs }: { readonly restMs?: number; readonly quietMs: number },
  violations: string[],
): Promise<void> {
  const retried = new Set<string>();
  world.onExchange.push(({ answer }) => {
    for (const { key, outcome } of answer.items) if (outcome.type === 'retry') retried.add(key);
  });
  await world.time.sleep(restMs);
  const before = world.writes.length;
  await world.time.sleep(quietMs);
  tell(world, before, ({ about }) => about === undefined || !retried.has(about), 'though nothing changes', violations);
  for (const { lease, overdueKeys } of await world.sweeps.run()) {
    if (lease === 'unheld') violations.push('no relay holds the lease');
    if (overdueKeys > 0) violations.push(`${overdueKeys} keys are overdue`);
  }
  const again = world.writes.length;
  for (const relay of world.relays) relay.killAndRestart();
  await world.time.sleep(REVISIT_MS);
  if (!world.relays.some((relay) => relay.isLeading)) violations.push('no relay leads after all were started again');
  tell(world, again, ({ about }) => about === undefined, 'when each key is visited again', violations);
}

function tell(
  world: World,
  from: number,
  isUnrest: (write: Write) => boolean,
  when: string,
  violations: string[],
): void {
  for (const { who, method, path } of world.writes.slice(from).filter(isUnrest).slice(0, MOST_TOLD))
    violations.push(`${who} writes ${when}: ${method} ${path}`);
}
