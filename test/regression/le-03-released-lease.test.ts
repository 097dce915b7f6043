// Acting as the leader while the lease is being released, or after it (pinniped PR 800, kubernetes issue 44887).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Applier } from '../../events/relay/apply/apply.ts';
import { Caches } from '../../events/relay/cache/caches.ts';
import { EventRecorder } from '../../events/relay/events/recorder.ts';
import { KubeApi } from '../../events/relay/kube/api.ts';
import { DEFAULT_TIMING, type Lease, LeaseKeeper } from '../../events/relay/leadership/lease-keeper.ts';
import { acquireLease, releaseLease, renewLease } from '../../functions/store/lease.ts';
import { vmi } from '../events/relay/support/delivery-harness.ts';
import { openGate } from '../events/relay/support/gatekeepers.ts';
import { ScriptedHttp } from '../events/relay/support/scripted-http.ts';
import { VirtualTime } from '../events/relay/support/virtual-time.ts';
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

test('no renewal for 10 s: no write begins after that, none may last longer than the lease, and only then is it given back', async () => {
  const time = new VirtualTime();
  const { ports } = time;
  const http = new ScriptedHttp();
  const began: { readonly at: number; readonly timeoutMs: number }[] = [];
  http.answer = ({ timeoutMs }) => {
    began.push({ at: time.now, timeoutMs });
    return { status: 200, body: vmi('a', 5) };
  };
  let released: { readonly at: number; readonly mayAct: boolean } | undefined;
  const lease: Lease = {
    name: 'test',
    acquire: () => Promise.resolve({ type: 'held' }),
    renew: () => Promise.resolve({ type: 'refused', why: 'down' }),
    release: () => {
      released = { at: time.now, mayAct: keeper.mayAct };
      return Promise.resolve();
    },
  };
  const keeper: LeaseKeeper = new LeaseKeeper(lease, DEFAULT_TIMING, ports);
  const api = new KubeApi(http, ports.timers, () => Promise.resolve());
  const applier = new Applier(api, new Caches(), keeper);
  const recorder = new EventRecorder(api, ports, 'test', keeper);
  const heldSince = time.now;
  await keeper.acquire();
  void keeper.keep().then(() => keeper.release());
  for (let i = 0; i < 100; i++) {
    await applier.apply([{ id: 'u', verb: 'update', object: vmi('a', 5) }], recorder, openGate);
    await time.advance(200);
  }
  const { durationMs, renewDeadlineMs } = DEFAULT_TIMING;
  expect(Math.max(...began.map(({ at }) => at))).toBeLessThan(heldSince + renewDeadlineMs);
  expect(Math.max(...began.map(({ at, timeoutMs }) => at + timeoutMs))).toBeLessThan(heldSince + durationMs);
  expect(released?.mayAct).toBe(false);
  expect(released?.at).toBeGreaterThanOrEqual(heldSince + renewDeadlineMs);
});

test('a lease that is given back while it is held: acts no more, before the granter is told', async () => {
  const order: string[] = [];
  const held = () => Promise.resolve({ type: 'held' } as const);
  const lease: Lease = {
    name: 'test',
    acquire: held,
    renew: held,
    release: () => {
      order.push(`released, may act: ${keeper.mayAct}`);
      return Promise.resolve();
    },
  };
  const keeper: LeaseKeeper = new LeaseKeeper(lease, DEFAULT_TIMING, new VirtualTime().ports);
  await keeper.acquire();
  expect(keeper.mayAct).toBe(true);
  await keeper.release();
  expect(order).toEqual(['released, may act: false']);
});
