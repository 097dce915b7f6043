import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeLeaseAnswer, encode } from '../../../events/envelope/decode.ts';
import type { LeaseAnswer, LeaseRequest } from '../../../events/envelope/envelope.ts';
import { signRequest, verifyAnswer } from '../../../events/envelope/signing.ts';
import { jsonLog } from '../../../functions/http/log.ts';
import { createLeaseApp } from '../../../functions/lease/lease-app.ts';
import { markVisit } from '../../../functions/store/visit.ts';
import { type LocalTable, startLocalTable } from '../support/local-table.ts';
import { keys } from '../support/widget-service.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

let nowMs = Date.now();
let sent = 0;

async function ask(request: LeaseRequest): Promise<LeaseAnswer> {
  const app = createLeaseApp({ table, keys, clock: () => nowMs, log: jsonLog(() => undefined) });
  const body = encode(request);
  const id = `lease-${++sent}`;
  const headers = signRequest(keys, { audience: 'lease', id, body }, nowMs);
  const response = await app.fetch(new Request('http://f/v1/lease', { method: 'POST', headers, body }), {
    deadlineMs: nowMs + 5_000,
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const token = request.action === 'acquire' ? 0 : request.token;
  verifyAnswer(
    keys,
    { audience: 'lease', id, token, headers: (n) => response.headers.get(n) ?? undefined, body: bytes },
    nowMs,
  );
  return decodeLeaseAnswer(bytes);
}

test('two relays and one lease', async () => {
  const from = (holder: string) => ({ version: 1, cluster: 'c', holder, timeMs: nowMs }) as const;
  const durationMs = 15_000;
  expect(await ask({ ...from('a'), action: 'acquire', durationMs })).toEqual({
    version: 1,
    type: 'granted',
    token: 1,
    renewedAtMs: nowMs,
    durationMs,
    visit: [],
  });
  expect(await ask({ ...from('b'), action: 'acquire', durationMs })).toMatchObject({
    type: 'refused',
    holder: 'a',
    retryAfterMs: 2_000,
  });
  nowMs += 10_000;
  expect(await ask({ ...from('a'), action: 'renew', token: 1, durationMs })).toMatchObject({
    type: 'granted',
    token: 1,
    renewedAtMs: nowMs,
  });
  nowMs += 16_500;
  expect(await ask({ ...from('b'), action: 'acquire', durationMs })).toMatchObject({
    type: 'refused',
    retryAfterMs: 500,
  });
  expect(await ask({ ...from('a'), action: 'release', token: 1 })).toEqual({ version: 1, type: 'released' });
  expect(await ask({ ...from('b'), action: 'acquire', durationMs })).toMatchObject({ type: 'granted', token: 2 });
  expect(await ask({ ...from('a'), action: 'renew', token: 1, durationMs })).toMatchObject({
    type: 'refused',
    holder: 'b',
  });
});

test('what the sweep asks for is named with each renewal until the relay says that it knows', async () => {
  const from = { version: 1, cluster: 'visited', holder: 'a', timeMs: nowMs } as const;
  const durationMs = 15_000;
  await ask({ ...from, action: 'acquire', durationMs });
  await markVisit(table, 'visited', 1, { markedAtMs: 7, keys: ['*', 'vm/ns/a'] });
  const renew = (visitMark?: number) => ask({ ...from, action: 'renew', token: 1, durationMs, visitMark });
  const named = { type: 'granted', visit: ['*', 'vm/ns/a'], visitMark: 7 };
  expect(await renew()).toMatchObject(named);
  expect(await renew()).toMatchObject(named);
  expect(await renew(6)).toMatchObject(named);
  const known = await renew(7);
  expect(known).toMatchObject({ type: 'granted', visit: [] });
  expect(known).not.toHaveProperty('visitMark');
  expect(await renew(7)).toMatchObject({ type: 'granted', visit: [] });
});
