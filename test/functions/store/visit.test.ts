import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { acquireLease, releaseLease, renewLease } from '../../../functions/store/lease.ts';
import type { Lease } from '../../../functions/store/lease-row.ts';
import { clearVisit, markVisit } from '../../../functions/store/visit.ts';
import { type LocalTable, startLocalTable } from '../support/local-table.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

const t = 1_000_000;
const durationMs = 15_000;
let cluster = '';
let clusters = 0;
beforeEach(async () => {
  cluster = `cluster-${++clusters}`;
  await acquireLease(table, { cluster, holder: 'a', durationMs, nowMs: t });
});

async function renewed(nowMs = t + 1): Promise<Lease> {
  const result = await renewLease(table, { cluster, holder: 'a', token: 1, durationMs, nowMs });
  if (result.type !== 'granted') throw new Error('refused');
  return result.lease;
}
const mark = (markedAtMs: number, ...keys: string[]) => markVisit(table, cluster, 1, { markedAtMs, keys });

test('each renewal names what is marked, in one call, until it is cleared', async () => {
  await mark(100, 'vm/ns/a');
  table.calls.length = 0;
  expect((await renewed()).visit).toEqual({ markedAtMs: 100, keys: ['vm/ns/a'] });
  expect(table.calls).toEqual(['UpdateItemCommand']);
  const lease = await renewed();
  expect(lease.visit?.markedAtMs).toBe(100);
  await clearVisit(table, cluster, lease, t + 2);
  expect((await renewed()).visit).toBeUndefined();
});

test('what was marked meanwhile stays', async () => {
  await mark(100, 'vm/ns/a');
  const lease = await renewed();
  await mark(400, 'vm/ns/b');
  await clearVisit(table, cluster, lease, t + 2);
  expect((await renewed()).visit).toEqual({ markedAtMs: 400, keys: ['vm/ns/b'] });
});

test('all keys count as visited when that is known to have arrived, and at an acquisition', async () => {
  expect((await renewed()).visitedAllAtMs).toBe(t);
  await mark(100, '*', 'vm/ns/a');
  const lease = await renewed();
  expect(lease.visitedAllAtMs).toBe(t);
  await clearVisit(table, cluster, lease, t + 5);
  expect((await renewed()).visitedAllAtMs).toBe(t + 5);
  await mark(200, 'vm/ns/a');
  await clearVisit(table, cluster, await renewed(), t + 9);
  expect((await renewed()).visitedAllAtMs).toBe(t + 5);
});

test('a new acquisition voids it; a lease that was given up or passed on is not marked', async () => {
  await mark(100, 'vm/ns/a');
  const again = await acquireLease(table, { cluster, holder: 'a', durationMs, nowMs: t + 1 });
  expect(again).toMatchObject({ type: 'granted', lease: { token: 2 } });
  await mark(200, 'vm/ns/a');
  await releaseLease(table, { cluster, holder: 'a', token: 2 });
  await markVisit(table, cluster, 2, { markedAtMs: 300, keys: ['vm/ns/a'] });
  const taken = await acquireLease(table, { cluster, holder: 'b', durationMs, nowMs: t + 2 });
  expect(taken).toMatchObject({ type: 'granted', lease: { token: 3 } });
  const result = await renewLease(table, { cluster, holder: 'b', token: 3, durationMs, nowMs: t + 3 });
  expect(result.type === 'granted' && result.lease.visit).toBeUndefined();
});
