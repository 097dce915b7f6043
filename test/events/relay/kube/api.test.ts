// Design, "Fencing": a write's time limit, waiting for the rate limiter included, ends before the lease does.
import { expect, test } from 'vitest';
import { KubeApi } from '../../../../events/relay/kube/api.ts';
import { sleep } from '../../../../events/relay/ports.ts';
import { ScriptedHttp } from '../support/scripted-http.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const busy = { status: 429, body: { reason: 'TooManyRequests' }, headers: { 'retry-after': '20' } };
const write = { method: 'POST', path: '/api/v1/namespaces/ns/pods', body: {} } as const;

/** A client whose limiter makes each request wait, and what became of one write within a lease of 15 s. */
async function outcomeOf(waitMs: number, answers: readonly { status: number; body: unknown }[]) {
  const time = new VirtualTime();
  const http = new ScriptedHttp();
  const sent: number[] = [];
  const begin = time.now;
  http.answer = () => {
    sent.push(time.now - begin);
    return answers[sent.length - 1] ?? { status: 201, body: {} };
  };
  const api = new KubeApi(http, time.ports.timers, () => sleep(time.ports.timers, waitMs));
  const leftMs = () => Math.max(0, 15_000 - (time.now - begin));
  let outcome: unknown = 'pending';
  api.request({ ...write, leftMs }).then(
    () => (outcome = 'written'),
    (e: Error) => (outcome = e.name),
  );
  await time.advance(300_000);
  return { outcome, sent, limits: http.requests.map((r) => r.timeoutMs) };
}

test('a write that waits too long for the limiter does not leave', async () => {
  expect(await outcomeOf(16_000, [])).toEqual({ outcome: 'ApiUnreachable', sent: [], limits: [] });
});

test('what waiting has taken is taken from its time limit', async () => {
  expect(await outcomeOf(4_000, [])).toEqual({ outcome: 'written', sent: [4_000], limits: [11_000] });
});

test('a write that is told to come again later than the lease lasts does not leave again', async () => {
  expect(await outcomeOf(0, [busy, busy])).toMatchObject({ outcome: 'ApiUnreachable', sent: [0] });
});

test.each([
  ['too many requests', 429],
  ["storage of a kind whose definition has just changed, in Kubernetes' own way to say it", 503],
])('%s: the request is sent again when the server says', async (_case, status) => {
  const refusal = { status, body: { reason: 'ServiceUnavailable' }, headers: { 'retry-after': '1' } };
  expect(await outcomeOf(0, [refusal, refusal])).toMatchObject({ outcome: 'written', sent: [0, 1_000, 2_000] });
});

test.each([
  ['an error that names no time', { status: 503, body: {} }],
  ['an error after which the write may have happened', { status: 504, body: {}, headers: { 'retry-after': '1' } }],
])('%s: no second try', async (_case, refusal) => {
  expect(await outcomeOf(0, [refusal])).toMatchObject({ outcome: 'ApiRefusal', sent: [0] });
});

test('a server that always asks to come again is asked ten times', async () => {
  const refusal = { status: 503, body: {}, headers: { 'retry-after': '1' } };
  const { outcome, sent } = await outcomeOf(
    0,
    Array.from({ length: 20 }, () => refusal),
  );
  expect({ outcome, times: sent.length }).toEqual({ outcome: 'ApiRefusal', times: 10 });
});
