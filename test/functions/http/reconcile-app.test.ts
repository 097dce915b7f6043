import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encode } from '../../../events/envelope/decode.ts';
import type { ReconcileItem } from '../../../events/envelope/envelope.ts';
import { MAX_BATCH_BYTES, MAX_BODY_BYTES } from '../../../events/envelope/limits.ts';
import { EXPECTATION_LIMIT_MS } from '../../../functions/core/expectation.ts';
import { releaseLease } from '../../../functions/store/lease.ts';
import { readKeyStates } from '../../../functions/store/read-key-states.ts';
import { putKeyState } from '../../../functions/store/write-key-state.ts';
import { type LocalTable, startLocalTable, writesOf } from '../support/local-table.ts';
import { partOf, type Widget, widgetBatch, widgetItem } from '../support/widget.ts';
import { takeLease, type WidgetService, widgetService } from '../support/widget-service.ts';

let table: LocalTable;
let service: WidgetService;
let token: number;
beforeAll(async () => {
  table = await startLocalTable();
  token = await takeLease(table, Date.now());
});
afterAll(() => table.stop());
beforeEach(() => {
  service = widgetService(table);
  table.calls.length = 0;
});
afterEach(() => {
  table.intercept = undefined;
});

const batch = (items: readonly ReconcileItem[], more = {}) =>
  widgetBatch(items, { token, listedToken: token, ...more });

async function outcomeOf(item: ReconcileItem, more = {}) {
  return (await service.deliver(batch([item], more))).items[0];
}
async function rowOf(name: string) {
  const key = `default/${name}`;
  return (await readKeyStates(table, 'cluster-uid', 'widget', [key])).states.get(key);
}

describe('the table', () => {
  test('a reconcile that changes nothing costs one read and no write', async () => {
    const answer = await service.deliver(batch([widgetItem('n1', 'done'), widgetItem('n2', 'done')]));
    expect(answer.items.map((i) => i.outcome.type)).toEqual(['done', 'done']);
    expect(table.calls).toEqual(['BatchGetItemCommand']);
    expect(service.measured[0]).toMatchObject({ rowWrites: 0, outcomes: { done: 2 } });
  });

  test("a controller's own state is kept, and goes when the controller says so", async () => {
    for (const passes of [1, 2, 3]) {
      await outcomeOf(widgetItem('own', 'count'));
      expect((await rowOf('own'))?.state).toEqual({ passes });
    }
    await outcomeOf(widgetItem('own', 'done'));
    expect((await rowOf('own'))?.state).toEqual({ passes: 3 });
    await outcomeOf(widgetItem('own', 'forget'));
    expect(await rowOf('own')).not.toHaveProperty('state');
  });

  test('holds nothing of the request but what a row is made of', async () => {
    const puts: unknown[] = [];
    table.client.middlewareStack.add(
      (next, context) => (args) => {
        if (context.commandName === 'PutItemCommand') puts.push((args.input as { Item: object }).Item);
        return next(args);
      },
      { step: 'initialize', name: 'puts' },
    );
    await outcomeOf(widgetItem('lean', 'make'));
    table.client.middlewareStack.remove('puts');
    const attributes = ['pk', 'sk', 'uid', 'token', 'version', 'deliveryId', 'expectations', 'failures'];
    expect(puts.map((item) => Object.keys(item as object))).toEqual([attributes]);
  });

  test('state under another uid is none', async () => {
    await outcomeOf(widgetItem('uid', 'count'));
    const again = widgetItem('uid', 'count');
    const primary = { ...again.primary, metadata: { ...again.primary?.metadata, uid: 'another' } } as Widget;
    await outcomeOf({ ...again, primary });
    expect(await rowOf('uid')).toMatchObject({ uid: 'another', state: { passes: 1 }, version: 2 });
  });

  test('the row goes when the primary is absent', async () => {
    await outcomeOf(widgetItem('gone', 'count'));
    expect(await outcomeOf(widgetItem('gone', 'any', { primary: null }))).toMatchObject({ outcome: { type: 'done' } });
    expect(await rowOf('gone')).toBeUndefined();
    table.calls.length = 0;
    await outcomeOf(widgetItem('gone', 'any', { primary: null }));
    expect(table.calls).toEqual(['BatchGetItemCommand']);
  });

  test('a visit asked for is noted as due once, not at each pass', async () => {
    expect((await outcomeOf(widgetItem('due', 'wait')))?.outcome).toEqual({ type: 'requeue-after', afterMs: 30_000 });
    expect((await rowOf('due'))?.dueAtMs).toBe(service.nowMs + 30_000);
    table.calls.length = 0;
    service.nowMs += 30_000;
    await outcomeOf(widgetItem('due', 'wait'));
    expect(writesOf(table.calls)).toEqual([]);
    await outcomeOf(widgetItem('due', 'done'));
    expect(await rowOf('due')).not.toHaveProperty('dueAtMs');
  });

  test('a key that is visited every minute for a day, as nodes are, costs a write an hour, and is never overdue', async () => {
    let writes = 0;
    for (let minute = 0; minute < 24 * 60; minute++) {
      table.calls.length = 0;
      await outcomeOf(widgetItem('regular', 'each minute'));
      writes += writesOf(table.calls).length;
      const dueAtMs = (await rowOf('regular'))?.dueAtMs ?? 0;
      expect(dueAtMs).toBeGreaterThan(service.nowMs);
      expect(dueAtMs).toBeLessThanOrEqual(service.nowMs + 62 * 60_000);
      service.nowMs += 60_000;
    }
    expect(writes).toBeLessThanOrEqual(25);
  });
});

describe('expectations', () => {
  const made = (name: string, more: Partial<ReconcileItem> = {}) => outcomeOf(widgetItem(name, 'make', more));
  const done = (resourceVersion: string) => ({
    results: [{ id: 'part', status: 'done', kind: 'Part', resourceVersion } as const],
  });

  test('are stored before the actions are handed out', async () => {
    const first = await made('exp1');
    expect(first?.actions.map((a) => a.verb)).toEqual(['create']);
    expect((await rowOf('exp1'))?.expectations).toEqual([{ id: 'part', kind: 'Part', since: service.nowMs }]);
  });

  test('result known: held back until the position reaches it, then closed', async () => {
    await made('exp2');
    const stale = await made('exp2', done('20'));
    expect(stale).toMatchObject({ outcome: { type: 'stale', kind: 'Part', resourceVersion: '20' }, actions: [] });
    expect((await made('exp2', { positions: { Part: '19' } }))?.outcome.type).toBe('stale');
    const w = widgetItem('exp2', 'make').primary as Widget;
    const seen = await made('exp2', { positions: { Part: '20' }, reads: { parts: [partOf(w)], parent: null } });
    expect(seen).toMatchObject({ outcome: { type: 'done' }, actions: [] });
    expect((await rowOf('exp2'))?.expectations).toEqual([]);
  });

  test('result unknown: the same action again', async () => {
    const first = await made('exp3');
    expect(await made('exp3')).toEqual(first);
  });

  test.each(['conflict', 'failed', 'not-attempted'] as const)('result %s: closed', async (status) => {
    await made(`exp-${status}`);
    const result = { id: 'part', status, code: 500, reason: 'r', message: 'm' } as const;
    expect((await made(`exp-${status}`, { results: [result] }))?.actions).toHaveLength(1);
  });

  test('listed under a newer token: dropped', async () => {
    await made('exp4');
    await made('exp4', done('20'));
    const answer = await service.deliver(batch([widgetItem('exp4', 'make')], { listedToken: token + 1 }));
    expect(answer.items[0]?.actions).toHaveLength(1);
  });

  test('five minutes are the last resort: the answer says when, then it holds nothing back', async () => {
    await made('exp5');
    service.nowMs += 60_000;
    const stale = await made('exp5', done('20'));
    expect(stale?.outcome).toMatchObject({ type: 'stale', afterMs: EXPECTATION_LIMIT_MS - 60_000 });
    service.nowMs += EXPECTATION_LIMIT_MS - 60_000 + 1;
    expect((await made('exp5'))?.actions).toHaveLength(1);
  });
});

describe('failures', () => {
  test('back off 1, 2, 4, 8, 16, 16 s; what is no failure resets', async () => {
    const pauses: unknown[] = [];
    for (let i = 0; i < 6; i++) pauses.push((await outcomeOf(widgetItem('back', 'retry')))?.outcome);
    const retry = (afterMs: number) => ({ type: 'retry', reason: 'not today', afterMs });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 16].map((s) => retry(s * 1000)));
    expect((await rowOf('back'))?.failures).toBe(6);
    await outcomeOf(widgetItem('back', 'wait'));
    expect((await outcomeOf(widgetItem('back', 'retry')))?.outcome).toEqual(retry(1000));
  });

  test('a throw costs its own key only, and is logged with it', async () => {
    const answer = await service.deliver(
      batch([widgetItem('t1', 'count'), widgetItem('t2', 'throw'), widgetItem('t3', 'count')]),
    );
    expect(answer.items.map((i) => i.outcome.type)).toEqual(['done', 'retry', 'done']);
    expect(answer.items[1]?.outcome).toMatchObject({
      afterMs: 1000,
      reason: expect.stringContaining('a defect') as string,
    });
    expect(service.logLines.filter((l) => l.includes('default/t2') && l.includes('a defect'))).not.toEqual([]);
    expect((await rowOf('t2'))?.failures).toBe(1);
  });

  test('a row that can not be written costs its own key only, which hands out nothing', async () => {
    table.intercept = (command, proceed) =>
      command === 'PutItemCommand' ? Promise.reject(new Error('down')) : proceed();
    const answer = await service.deliver(batch([widgetItem('w1', 'make'), widgetItem('w2', 'done')]));
    expect(answer.items).toMatchObject([{ outcome: { type: 'retry' }, actions: [] }, { outcome: { type: 'done' } }]);
  });

  test('the table is down: refused, nothing done', async () => {
    table.intercept = () => Promise.reject(Object.assign(new Error('down'), { $metadata: {} }));
    expect(await service.refused(batch([widgetItem('x', 'done')]))).toMatchObject({ type: 'unavailable', status: 503 });
  });
});

describe('busy', () => {
  test('another pass wrote the row meanwhile: no actions, no failure', async () => {
    const address = { cluster: 'cluster-uid', controller: 'widget', key: 'default/busy' };
    table.intercept = async (command, proceed) => {
      if (command !== 'PutItemCommand') return proceed();
      table.intercept = undefined;
      await putKeyState(
        table,
        address,
        undefined,
        { uid: 'uid-busy', expectations: [], failures: 0 },
        { token, deliveryId: 'another' },
      );
      return proceed();
    };
    expect(await outcomeOf(widgetItem('busy', 'make'))).toMatchObject({ outcome: { type: 'busy' }, actions: [] });
    expect((await rowOf('busy'))?.deliveryId).toBe('another');
  });

  test('the same delivery twice at once: both hand out the same', async () => {
    const twice = batch([widgetItem('twice', 'make')]);
    const [a, b] = await Promise.all([service.deliver(twice), service.deliver(twice)]);
    expect(a).toEqual(b);
    expect((await rowOf('twice'))?.version).toBe(1);
  });
});

describe('left for the next pass', () => {
  test('what the deadline does not allow', async () => {
    table.intercept = (command, proceed) => (command === 'PutItemCommand' ? new Promise(() => undefined) : proceed());
    const answer = await service.deliver(batch([widgetItem('slow', 'count'), widgetItem('quick', 'done')]), 1_500);
    expect(answer.items.map((i) => i.outcome.type)).toEqual(['left', 'done']);
  });

  test('what does not fit into the answer: it is not written either', async () => {
    const large = (name: string, sizeBytes: number) => {
      const item = widgetItem(name, 'large');
      return {
        ...item,
        primary: { ...item.primary, spec: { script: 'large', padding: 'x'.repeat(sizeBytes) } } as Widget,
      };
    };
    const half = Math.round(MAX_BATCH_BYTES * 0.6);
    const answer = await service.deliver(batch([large('l1', half), large('l2', half), widgetItem('l3', 'count')]));
    expect(answer.items.map((i) => i.outcome.type)).toEqual(['done', 'left', 'done']);
    const alone = await service.deliver(batch([large('l4', MAX_BATCH_BYTES)]));
    expect(alone.items[0]?.outcome).toMatchObject({
      type: 'retry',
      reason: expect.stringContaining('too large') as string,
    });
  });
});

describe('refused whole', () => {
  const one = () => batch([widgetItem('r', 'count')]);

  test.each([
    ['older', () => token - 1],
    ['newer', () => token + 1],
  ])("a token %s than the lease's", async (_, other) => {
    const refusal = await service.refused({ ...one(), token: other() || 99 });
    expect(refusal).toMatchObject({ type: 'stale-token', status: 409 });
    expect(await rowOf('r')).toBeUndefined();
  });

  test('a cluster that nobody leads', async () => {
    expect(await service.refused({ ...one(), cluster: 'other' })).toMatchObject({ type: 'stale-token' });
  });

  test('a token whose lease was released', async () => {
    const { nowMs } = service;
    token = await takeLease(table, nowMs);
    await releaseLease(table, { cluster: 'cluster-uid', holder: 'relay-a', token });
    expect(await service.refused(one())).toMatchObject({ type: 'stale-token' });
    token = await takeLease(table, nowMs);
    expect((await service.deliver(one())).items).toHaveLength(1);
  });

  test('signed with an unknown key', async () => {
    expect(await service.refused(one(), ['another-key-of-32-characters-len'])).toMatchObject({
      type: 'bad-signature',
      status: 401,
    });
  });

  test('signed under another id than the delivery has', async () => {
    const response = await service.post(encode(one()), 'another-id');
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
  });

  test('of an unknown version', async () => {
    const body = new TextEncoder().encode('{"version":2}');
    expect(await (await service.post(body, 'd')).json()).toMatchObject({ type: 'unknown-version', status: 400 });
  });

  test('malformed, and told where', async () => {
    const body = new TextEncoder().encode('{"version":1}');
    expect(await (await service.post(body, 'd')).json()).toMatchObject({ type: 'malformed', status: 400 });
  });

  test("a snapshot that is not this controller's", async () => {
    for (const item of [
      widgetItem('s', 'done', { reads: { parts: [] } }),
      widgetItem('s', 'done', { reads: { parts: null, parent: null } }),
      widgetItem('s', 'done', { key: 'default/t' }),
    ])
      expect(await service.refused(batch([item]))).toMatchObject({ type: 'malformed' });
  });

  test('a body that is too large', async () => {
    const response = await service.post(new Uint8Array(MAX_BODY_BYTES + 1), 'd');
    expect([response.status, ((await response.json()) as { type: string }).type]).toEqual([413, 'too-large']);
  });

  test('another controller', async () => {
    const response = await service.app.fetch(new Request('http://f/v1/reconcile/other', { method: 'POST' }), {
      deadlineMs: 0,
    });
    expect(response.status).toBe(404);
  });
});

test('/healthz', async () => {
  expect((await service.app.fetch(new Request('http://f/healthz'), { deadlineMs: 0 })).status).toBe(200);
});
