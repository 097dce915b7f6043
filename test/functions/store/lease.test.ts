import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acquireLease, type LeaseResult, releaseLease, renewLease } from '../../../functions/store/lease.ts';
import { SKEW_MS } from '../../../functions/store/lease-row.ts';
import { type LocalTable, startLocalTable } from '../support/local-table.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

const durationMs = 15_000;
const t = 1_000_000;
let cluster = '';
let clusters = 0;

function acquire(holder: string, nowMs: number): Promise<LeaseResult> {
  return acquireLease(table, { cluster, holder, durationMs, nowMs });
}
function renew(holder: string, token: number, nowMs: number): Promise<LeaseResult> {
  return renewLease(table, { cluster, holder, token, durationMs, nowMs });
}
function newCluster(): void {
  cluster = `cluster-${++clusters}`;
}
const granted = (token: number) =>
  expect.objectContaining({ type: 'granted', lease: expect.objectContaining({ token }) as object }) as LeaseResult;
const refusedFor = (holder: string) =>
  expect.objectContaining({ type: 'refused', held: expect.objectContaining({ holder }) as object }) as LeaseResult;

describe('acquiring', () => {
  test('the first token is 1; while held and renewed nobody else gets it', async () => {
    newCluster();
    expect(await acquire('a', t)).toEqual(granted(1));
    expect(await acquire('b', t + 5_000)).toEqual(refusedFor('a'));
    expect(await renew('a', 1, t + 10_000)).toEqual(granted(1));
    expect(await acquire('b', t + 10_000 + durationMs + SKEW_MS)).toEqual(refusedFor('a'));
  });

  test('after duration and skew another takes it over, with the next token; the former is refused', async () => {
    newCluster();
    await acquire('a', t);
    expect(await acquire('b', t + durationMs + SKEW_MS + 1)).toEqual(granted(2));
    expect(await renew('a', 1, t + durationMs + SKEW_MS + 2)).toEqual(refusedFor('b'));
    expect(await acquire('a', t + durationMs + SKEW_MS + 3)).toEqual(refusedFor('b'));
  });

  test('the holder itself gets a new token', async () => {
    newCluster();
    await acquire('a', t);
    expect(await acquire('a', t + 1)).toEqual(granted(2));
    expect(await renew('a', 1, t + 2)).toEqual(refusedFor('a'));
  });

  test('an acquisition that comes once more after a renewal does not depose the holder', async () => {
    newCluster();
    await acquire('a', t);
    await renew('a', 1, t + 2_000);
    expect(await acquire('a', t + 3_000)).toEqual(refusedFor('a'));
    expect(await renew('a', 1, t + 4_000)).toEqual(granted(1));
    // When it has run out it is anybody's.
    expect(await acquire('a', t + 4_000 + durationMs + SKEW_MS + 1)).toEqual(granted(2));
  });

  test('of those who race for it, one gets it', async () => {
    newCluster();
    const first = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((holder) => acquire(holder, t)));
    expect(first.filter((r) => r.type === 'granted')).toHaveLength(1);
    const later = t + durationMs + SKEW_MS + 1;
    const second = await Promise.all(['f', 'g', 'h', 'i', 'j'].map((holder) => acquire(holder, later)));
    expect(second.filter((r) => r.type === 'granted')).toEqual([granted(2)]);
  });
});

describe('renewing', () => {
  test('late succeeds while nobody has taken the lease', async () => {
    newCluster();
    await acquire('a', t);
    expect(await renew('a', 1, t + 3_600_000)).toEqual(granted(1));
  });

  test('what was never acquired is refused', async () => {
    newCluster();
    expect(await renew('a', 1, t)).toEqual({ type: 'refused' });
  });
});

describe('releasing', () => {
  test('another gets it at once, the token rises on', async () => {
    newCluster();
    await acquire('a', t);
    await releaseLease(table, { cluster, holder: 'a', token: 1 });
    expect(await renew('a', 1, t + 1)).toEqual({ type: 'refused' });
    expect(await acquire('b', t + 1)).toEqual(granted(2));
  });

  test('what another holds by now changes nothing', async () => {
    newCluster();
    await acquire('a', t);
    await acquire('b', t + durationMs + SKEW_MS + 1);
    await releaseLease(table, { cluster, holder: 'a', token: 1 });
    expect(await renew('b', 2, t + durationMs + SKEW_MS + 2)).toEqual(granted(2));
  });
});
