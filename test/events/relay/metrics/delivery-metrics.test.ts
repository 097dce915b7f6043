import { expect, test } from 'vitest';
import { type AnswerOutcome, type ReconcileRequest, VERSION } from '../../../../events/envelope/envelope.ts';
import { SignatureError } from '../../../../events/envelope/errors.ts';
import { Caches } from '../../../../events/relay/cache/caches.ts';
import { FunctionRefusal } from '../../../../events/relay/delivery/function-client.ts';
import { DeliveryMetrics } from '../../../../events/relay/metrics/delivery-metrics.ts';
import { Metrics } from '../../../../events/relay/metrics/metrics.ts';
import { SyncMetrics, VMI_STATUS_WRITE } from '../../../../events/relay/metrics/sync-metrics.ts';
import type { Action, ActionResult } from '../../../../functions/core/action.ts';
import { VirtualMachineInstance } from '../../../../functions/core/kinds.ts';
import { WRITE_ID } from '../../../../functions/vmi/vmi-update.ts';
import { vmiObject } from '../support/relay-harness.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const request = { deliveryId: 'd', token: 1, items: [{ key: 'ns/a' }, { key: 'ns/b' }] } as unknown as ReconcileRequest;
const body = new Uint8Array(2000);
const own = 'virt_functions_relay';

function setUp() {
  const time = new VirtualTime();
  const metrics = new Metrics();
  const deliveries = new DeliveryMetrics(metrics, time.ports.clock);
  const line = async (start: string) => (await metrics.text()).split('\n').find((l) => l.startsWith(start));
  return { time, metrics, deliveries, line };
}

test('batches are counted by what came back, with their size and time; keys by their outcome', async () => {
  const { time, deliveries, line } = setUp();
  const outcomes: AnswerOutcome[] = [{ type: 'done' }, { type: 'busy' }];
  const functions = deliveries.measured({
    reconcile: async () => {
      time.now += 40;
      const items = outcomes.map((outcome, i) => ({ key: `ns/${i}`, outcome, actions: [] }));
      return { version: VERSION, deliveryId: 'd', token: 1, items };
    },
  });
  await functions.reconcile('vmi', request, body, 1000);
  expect(await line(`${own}_deliveries_total`)).toBe(`${own}_deliveries_total{controller="vmi",result="answered"} 1`);
  expect(await line(`${own}_batch_keys_sum`)).toBe(`${own}_batch_keys_sum{controller="vmi"} 2`);
  expect(await line(`${own}_batch_bytes_sum`)).toBe(`${own}_batch_bytes_sum{controller="vmi"} 2000`);
  expect(await line(`${own}_function_seconds_sum`)).toBe(`${own}_function_seconds_sum{controller="vmi"} 0.04`);
  for (const outcome of ['done', 'busy'])
    expect(await line(`${own}_outcomes_total{controller="vmi",outcome="${outcome}"}`)).toMatch(/ 1$/);
});

test.each([
  [new FunctionRefusal('stale-token', 409, 'stale'), 'refused'],
  [new SignatureError('mismatch', 'no'), 'garbage'],
  [new Error('socket closed'), 'unreachable'],
])('%s counts as %s, and is still thrown', async (error, result) => {
  const { deliveries, line } = setUp();
  const functions = deliveries.measured({ reconcile: () => Promise.reject(error) });
  await expect(functions.reconcile('vm', request, body, 1000)).rejects.toBe(error);
  expect(await line(`${own}_deliveries_total{controller="vm",result="${result}"}`)).toMatch(/ 1$/);
});

const write: Action = { id: WRITE_ID, verb: 'update', object: vmiObject('a', 5) };
const result = (id: string, status: 'done' | 'not-attempted'): ActionResult =>
  status === 'done' ? { id, status, kind: 'VirtualMachineInstance' } : { id, status };

test('actions are counted by what became of them', async () => {
  const { deliveries, line } = setUp();
  deliveries.applied('vmi', [write, { ...write, id: 'x' }], [result(WRITE_ID, 'done'), result('x', 'not-attempted')]);
  const series = (r: string) =>
    `${own}_actions_total{controller="vmi",verb="update",kind="VirtualMachineInstance",result="${r}"}`;
  expect(await line(series('done'))).toMatch(/ 1$/);
  expect(await line(series('not-attempted'))).toMatch(/ 1$/);
});

test('kubevirt_vmi_sync_total counts the writes of the status step, and goes with the VMI', async () => {
  const { metrics, line } = setUp();
  const caches = new Caches();
  const cache = caches.of(VirtualMachineInstance);
  cache.replace([vmiObject('a', 5)], '10', 1);
  const syncs = new SyncMetrics(metrics, caches);
  expect(VMI_STATUS_WRITE).toBe(WRITE_ID);
  syncs.applied('vmi', 'ns/a', [write], [result(WRITE_ID, 'done')]);
  syncs.applied('vmi', 'ns/a', [write], [result(WRITE_ID, 'not-attempted')]);
  syncs.applied('vmi', 'ns/a', [{ ...write, id: 'x' }], [result('x', 'done')]);
  syncs.applied('vm', 'ns/a', [write], [result(WRITE_ID, 'done')]);
  expect(await line('kubevirt_vmi_sync_total{')).toBe('kubevirt_vmi_sync_total{namespace="ns",name="a"} 1');
  cache.removed('ns/a', 'uid-a');
  syncs.applied('vmi', 'ns/a', [write], [result(WRITE_ID, 'done')]);
  expect(await line('kubevirt_vmi_sync_total{')).toBeUndefined();
});
