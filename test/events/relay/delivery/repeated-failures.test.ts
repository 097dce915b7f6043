import { expect, test } from 'vitest';
import { DeliveryHarness } from '../support/delivery-harness.ts';

test('a key whose passes all fail in their actions comes at once the first time, then after 1, 2, 4, 8, 16, 16 s', async () => {
  const h = new DeliveryHarness('a');
  h.kube.answer = () => new Error('connection refused');
  const at: number[] = [];
  h.decide = ({ primary: object }) => {
    at.push(h.time.now);
    return { outcome: { type: 'done' }, actions: object === null ? [] : [{ id: 'w', verb: 'update', object }] };
  };
  h.delivery.start();
  await h.time.advance(50_000);
  const pauses = at.slice(1).map((t, i) => Math.round((t - (at[i] ?? 0)) / 1000));
  expect(pauses).toEqual([0, 1, 2, 4, 8, 16, 16]);
  // A pass that succeeds forgets it.
  h.kube.answer = () => ({ status: 200, body: {} });
  await h.time.advance(60_000);
  const passes = at.length;
  await h.time.advance(60_000);
  expect(at).toHaveLength(passes);
});
