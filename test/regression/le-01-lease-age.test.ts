// A lease judged by how long it was observed: a new instance waits a whole duration in its process (client-go issue 448).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquireLease } from '../../functions/store/lease.ts';
import { SKEW_MS } from '../../functions/store/lease-row.ts';
import { type LocalTable, startLocalTable } from '../functions/support/local-table.ts';

const durationMs = 15_000;
const hour = 3_600_000;
let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

test('an old record, by a clock that was ahead, is taken over at once', async () => {
  const now = Date.now();
  const claim = { cluster: 'old', durationMs };
  await acquireLease(table, { ...claim, holder: 'a', nowMs: now - hour + 120_000 });
  const began = performance.now();
  expect((await acquireLease(table, { ...claim, holder: 'b', nowMs: now })).type).toBe('granted');
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('never two holders while clocks differ by no more than the bound', async () => {
  const now = Date.now();
  for (const [writerAheadMs, readerAheadMs] of [
    [0, 0],
    [0, SKEW_MS],
    [SKEW_MS, 0],
    [-SKEW_MS / 2, SKEW_MS / 2],
  ] as const) {
    const claim = { cluster: `skew-${writerAheadMs}-${readerAheadMs}`, durationMs };
    await acquireLease(table, { ...claim, holder: 'a', nowMs: now + writerAheadMs });
    // True time, at which the first holder still believes in its lease.
    const lastMoment = now + durationMs;
    const second = await acquireLease(table, { ...claim, holder: 'b', nowMs: lastMoment + readerAheadMs });
    expect(second.type).toBe('refused');
  }
});
