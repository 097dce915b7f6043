// Delayed and immediate adds of one key are not merged (kubernetes issue 110642).
import { describe, expect, test } from 'vitest';
import { VirtualMachineInstance } from '../../functions/core/kinds.ts';
import { DeliveryHarness, vmi } from '../events/relay/support/delivery-harness.ts';

const again = { outcome: { type: 'requeue-after', afterMs: 60_000 }, actions: [] } as const;
const done = { outcome: { type: 'done' }, actions: [] } as const;

describe('a key that is to come again after 60 s, and changes', () => {
  test('comes at once, one time, and again at the time that was set; the times do not add up', async () => {
    const h = new DeliveryHarness('a');
    h.decide = () => again;
    h.delivery.start();
    await h.time.advance(10_000);
    h.caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('a', 20));
    await h.time.advance(1_000);
    expect(h.requests).toHaveLength(2);
    await h.time.advance(50_000);
    expect(h.requests).toHaveLength(3);
    await h.time.advance(50_000);
    expect(h.requests).toHaveLength(3);
  });

  test('every few seconds: no timer but one is ever pending', async () => {
    const h = new DeliveryHarness('a');
    h.decide = () => again;
    h.delivery.start();
    await h.time.advance(1_000);
    for (let i = 0; i < 60; i++) {
      h.caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('a', 20 + i));
      await h.time.advance(7_000);
    }
    // 60 changes, and one visit a minute.
    expect(h.requests.length).toBeLessThanOrEqual(1 + 60 + 7);
    const before = h.requests.length;
    await h.time.advance(600_000);
    expect(h.requests.length - before).toBeLessThanOrEqual(10);
  });

  test('in the moment its time comes: one call', async () => {
    const h = new DeliveryHarness('a');
    h.latencyMs = 20;
    h.decide = () => (h.requests.length === 1 ? again : done);
    h.delivery.start();
    await h.time.advance(60_010);
    h.delivery.visit('ns/a');
    await h.time.advance(0);
    h.caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('a', 20));
    await h.time.advance(60_000);
    // The one that was under way, and one for all that came meanwhile: timer and change.
    expect(h.requests).toHaveLength(3);
  });

  test('just before its time comes: the second call, less than a second after the first, writes nothing', async () => {
    const h = new DeliveryHarness('a');
    const wanted = { ...vmi('a', 20), status: { phase: 'Pending' } };
    h.kube.answer = () => ({
      status: 200,
      body: { ...wanted, metadata: { ...wanted.metadata, resourceVersion: '30' } },
    });
    h.decide = (item) => {
      const { primary } = item;
      const isAsWanted = (primary as { status?: object } | null)?.status !== undefined;
      if (primary?.metadata.resourceVersion === '5') return again;
      return { ...done, actions: isAsWanted ? [] : [{ id: 'u', verb: 'update', object: wanted }] };
    };
    h.delivery.start();
    await h.time.advance(59_800);
    h.caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('a', 20));
    await h.time.advance(60_000);
    expect(h.kube.requests.map((r) => r.method)).toEqual(['PUT']);
  });
});
