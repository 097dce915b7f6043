import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { shadowOf } from '../../../functions/core/shadow.ts';
import { jsonLog } from '../../../functions/http/log.ts';
import { report } from '../../../functions/resync/report.ts';
import { type Finding, sweep } from '../../../functions/resync/sweep.ts';
import { acquireLease, releaseLease, renewLease } from '../../../functions/store/lease.ts';
import { clearVisit } from '../../../functions/store/visit.ts';
import { type LocalTable, startLocalTable, writesOf } from '../support/local-table.ts';
import { widgetBatch, widgetItem } from '../support/widget.ts';
import { type WidgetService, widgetService } from '../support/widget-service.ts';

const HOUR = 3_600_000;
const durationMs = 15_000;
let table: LocalTable;
let service: WidgetService;
let cluster = '';
let clusters = 0;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());
beforeEach(async () => {
  service = widgetService(table);
  cluster = `cluster-${++clusters}`;
  await acquireLease(table, { cluster, holder: 'a', durationMs, nowMs: service.nowMs });
});

function deliver(name: string, script: string) {
  return service.deliver(widgetBatch([widgetItem(name, script)], { cluster, token: 1, listedToken: 1 }));
}
/** A heartbeat; what it names. */
async function heartbeat() {
  const result = await renewLease(table, { cluster, holder: 'a', token: 1, durationMs, nowMs: service.nowMs });
  if (result.type !== 'granted') throw new Error('refused');
  return result.lease;
}
async function sweepHere(): Promise<Finding | undefined> {
  return (await sweep(table, () => service.nowMs)).find((f) => f.cluster === cluster);
}

test('nothing overdue: reads only', async () => {
  await deliver('calm', 'done');
  table.calls.length = 0;
  expect(await sweepHere()).toMatchObject({ lease: 'held', overdueKeys: 0, oldestOverdueMs: 0, asksForAll: false });
  expect(writesOf(table.calls)).toEqual([]);
});

test('a shadow is passed over: it comes and goes, and nobody depends on it', async () => {
  cluster = shadowOf(cluster);
  await acquireLease(table, { cluster, holder: 'a', durationMs, nowMs: service.nowMs });
  await releaseLease(table, { cluster, holder: 'a', token: 1 });
  expect(await sweepHere()).toBeUndefined();
});

describe('an overdue key', () => {
  test('is named with the next heartbeat, until it was visited', async () => {
    await deliver('late', 'wait');
    service.nowMs += 30_000 + 2 * 60_000 - 1;
    await heartbeat();
    expect((await sweepHere())?.overdueKeys).toBe(0);
    service.nowMs += 1;
    expect(await sweepHere()).toMatchObject({ overdueKeys: 1, oldestOverdueMs: 120_000 });
    const lease = await heartbeat();
    expect(lease.visit?.keys).toEqual(['widget/default/late']);
    await clearVisit(table, cluster, lease, service.nowMs);
    await deliver('late', 'done');
    expect((await sweepHere())?.overdueKeys).toBe(0);
    expect((await heartbeat()).visit).toBeUndefined();
  });

  test('is named again by the next sweep while it is not visited', async () => {
    await deliver('late', 'retry');
    service.nowMs += 10 * 60_000;
    await heartbeat();
    await sweepHere();
    await clearVisit(table, cluster, await heartbeat(), service.nowMs);
    service.nowMs += 10_000;
    await sweepHere();
    expect((await heartbeat()).visit?.keys).toEqual(['widget/default/late']);
  });
});

test('all keys are asked for once a day, until that is known to have arrived', async () => {
  service.nowMs += 24 * HOUR;
  await heartbeat();
  for (let i = 0; i < 2; i++) {
    expect((await sweepHere())?.asksForAll).toBe(true);
    expect((await heartbeat()).visit?.keys).toEqual(['*']);
  }
  await clearVisit(table, cluster, await heartbeat(), service.nowMs);
  expect((await sweepHere())?.asksForAll).toBe(false);
  service.nowMs += 24 * HOUR;
  await heartbeat();
  expect((await sweepHere())?.asksForAll).toBe(true);
});

describe('nobody holds the lease', () => {
  test.each(['expired', 'released'])('%s: told, and nobody is asked for anything', async (how) => {
    await deliver('late', 'retry');
    service.nowMs += 24 * HOUR;
    if (how === 'released') await releaseLease(table, { cluster, holder: 'a', token: 1 });
    table.calls.length = 0;
    expect(await sweepHere()).toMatchObject({ lease: 'unheld', overdueKeys: 1, asksForAll: false });
    expect(writesOf(table.calls)).toEqual([]);
  });
});

test('alarms: a warning per finding, a line of metrics per cluster', () => {
  const logged: { level: string; message: string }[] = [];
  const metrics: Record<string, unknown>[] = [];
  const quiet = { overdueKeys: 0, oldestOverdueMs: 0, asksForAll: false };
  report(
    {
      table,
      log: jsonLog((line) => logged.push(JSON.parse(line) as { level: string; message: string })),
      writeMetrics: (line) => metrics.push(JSON.parse(line) as Record<string, unknown>),
      clock: () => 5,
    },
    [
      { cluster: 'good', lease: 'held', ...quiet },
      { cluster: 'bad', lease: 'unheld', ...quiet, overdueKeys: 2, oldestOverdueMs: 700 },
    ],
  );
  expect(logged.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'warn no relay holds the lease',
    'warn keys are overdue',
  ]);
  expect(metrics).toMatchObject([
    { Cluster: 'good', NoHolder: 0, OverdueKeys: 0, OldestOverdueMs: 0 },
    { Cluster: 'bad', NoHolder: 1, OverdueKeys: 2, OldestOverdueMs: 700 },
  ]);
});
