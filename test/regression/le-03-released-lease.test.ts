// Acting as the leader while the lease is being released, or after it (pinniped PR 800, kubernetes issue 44887).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquireLease, releaseLease, renewLease } from '../../functions/store/lease.ts';
import { type LocalTable, startLocalTable, writesOf } from '../functions/support/local-table.ts';
import { widgetBatch, widgetItem } from '../functions/support/widget.ts';
import { takeLease, widgetService } from '../functions/support/widget-service.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

test('deliveries in flight under a released or passed-on token are refused, before anything is written', async () => {
  const service = widgetService(table);
  const token = await takeLease(table, service.nowMs);
  const inFlight = () => widgetBatch([widgetItem('a', 'make')], { token, listedToken: token });
  const mine = { cluster: 'cluster-uid', holder: 'relay-a', token };
  await releaseLease(table, mine);
  table.calls.length = 0;
  expect(await service.refused(inFlight())).toMatchObject({ type: 'stale-token', status: 409 });
  expect(writesOf(table.calls)).toEqual([]);
  const renewal = await renewLease(table, { ...mine, durationMs: 15_000, nowMs: service.nowMs });
  expect(renewal.type).toBe('refused');

  await acquireLease(table, { cluster: 'cluster-uid', holder: 'relay-b', durationMs: 15_000, nowMs: service.nowMs });
  expect(await service.refused(inFlight())).toMatchObject({ type: 'stale-token' });
});
