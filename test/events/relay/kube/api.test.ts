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
