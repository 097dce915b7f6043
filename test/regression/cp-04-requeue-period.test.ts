// Cached answers double the resync period (crossplane issue 6718).
import { describe, expect, test } from 'vitest';
import { VirtualMachineInstance } from '../../functions/core/kinds.ts';
import { DeliveryHarness, vmi } from '../events/relay/support/delivery-harness.ts';

const PERIOD_MS = 60_000;
const TOLERANCE_MS = 5_000;

/** Times of the key's deliveries over a time, from the first on. */
async function timesOver(h: DeliveryHarness, minutes: number, every: (second: number) => void = () => undefined) {
  const begun = h.time.now;
  const times: number[] = [];
  for (let second = 0; second < minutes * 60; second++) {
    every(second);
    await h.time.advance(1_000);
    while (times.length < h.itemsOf('ns/a').length) times.push(h.time.now - begun);
  }
  return times;
}

const gaps = (times: readonly number[]) => times.slice(1).map((t, i) => t - (times[i] ?? 0));

describe('a key that is to come again after 60 s', () => {
  test('comes every 60 s', async () => {
    const h = new DeliveryHarness('a');
    h.decide = () => ({ outcome: { type: 'requeue-after', afterMs: PERIOD_MS }, actions: [] });
    h.delivery.start();
    const times = await timesOver(h, 10);
    expect(times.length).toBeGreaterThanOrEqual(9);
    for (const gap of gaps(times)) expect(Math.abs(gap - PERIOD_MS)).toBeLessThanOrEqual(TOLERANCE_MS);
  });

  test.each(['busy', 'left'] as const)('comes after 60 s also where an answer "%s" stands between', async (type) => {
    const h = new DeliveryHarness('a');
    let calls = 0;
    h.decide = () =>
      ++calls % 2 === 0
        ? { outcome: { type }, actions: [] }
        : { outcome: { type: 'requeue-after', afterMs: PERIOD_MS }, actions: [] };
    h.delivery.start();
    // Each round is such an answer, at once followed by another one.
    const rounds = (await timesOver(h, 10)).filter((t, i, all) => i === 0 || t - (all[i - 1] ?? 0) > 2_000);
    expect(rounds.length).toBeGreaterThanOrEqual(9);
    for (const gap of gaps(rounds)) expect(Math.abs(gap - PERIOD_MS)).toBeLessThanOrEqual(TOLERANCE_MS);
  });

  test('waits no longer than 60 s after any pass, however changes come between and travel together', async () => {
    const h = new DeliveryHarness('a', 'b');
    h.latencyMs = 700;
    h.decide = () => ({ outcome: { type: 'requeue-after', afterMs: PERIOD_MS }, actions: [] });
    h.delivery.start();
    let version = 20;
    const times = await timesOver(h, 15, (second) => {
      if (second % 97 !== 0) return;
      for (let i = 0; i < 3; i++) h.caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('a', ++version));
    });
    for (const gap of gaps(times)) expect(gap).toBeLessThanOrEqual(PERIOD_MS + TOLERANCE_MS);
  });

  test('comes after 60 s also after an answer that was lost', async () => {
    const h = new DeliveryHarness('a');
    let calls = 0;
    h.decide = () =>
      ++calls === 3 ? new Error('reset') : { outcome: { type: 'requeue-after', afterMs: PERIOD_MS }, actions: [] };
    h.delivery.start();
    const times = await timesOver(h, 10);
    expect(Math.max(...gaps(times))).toBeLessThanOrEqual(PERIOD_MS + TOLERANCE_MS);
  });
});
