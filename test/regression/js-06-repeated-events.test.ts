// Repeated or false events (kubernetes-client/javascript issues 2424, 570).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Change, KindCache } from '../../events/relay/cache/kind-cache.ts';
import { Pod, VirtualMachineInstance } from '../../functions/core/kinds.ts';
import { DeliveryHarness, vmi } from '../events/relay/support/delivery-harness.ts';
import { pod } from '../events/relay/support/objects.ts';

async function started(name: string) {
  const h = new DeliveryHarness(name);
  h.delivery.start();
  await h.time.advance(100);
  return h;
}

describe('the primary of a key', () => {
  test('the same version a hundred times: one pass, nothing written', async () => {
    const h = await started('a');
    for (let i = 0; i < 100; i++) {
      h.caches.of(VirtualMachineInstance).watched(i % 2 === 0 ? 'MODIFIED' : 'ADDED', vmi('a', 11));
      if (i % 10 === 0) await h.time.advance(20);
    }
    await h.time.advance(1_000);
    expect(h.itemsOf('ns/a').map((i) => i.primary?.metadata.resourceVersion)).toEqual(['5', '11']);
    expect(h.kube.requests).toEqual([]);
  });

  test('a list that is the same as before: no pass', async () => {
    const h = await started('a');
    for (let i = 0; i < 10; i++) h.caches.of(VirtualMachineInstance).replace([vmi('a', 5)], String(20 + i), 1);
    await h.time.advance(1_000);
    expect(h.requests).toHaveLength(1);
  });

  test('an older version than the one known: no pass, and it is not shown', async () => {
    const h = await started('a');
    h.caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('a', 20));
    await h.time.advance(100);
    h.caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('a', 15));
    h.caches.of(VirtualMachineInstance).watched('DELETED', vmi('a', 14));
    await h.time.advance(100);
    expect(h.requests).toHaveLength(2);
    h.delivery.visit('ns/a');
    await h.time.advance(100);
    expect(h.itemsOf('ns/a').at(-1)?.primary?.metadata.resourceVersion).toBe('20');
  });

  test('the relay’s own write, when the watch brings it: no further pass', async () => {
    const h = await started('a');
    h.kube.answer = () => ({ status: 200, body: vmi('a', 30) });
    h.decide = (item) => ({
      outcome: { type: 'done' },
      actions:
        item.primary?.metadata.resourceVersion === '20' ? [{ id: 'u', verb: 'update', object: vmi('a', 20) }] : [],
    });
    h.caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('a', 20));
    await h.time.advance(100);
    const before = h.requests.length;
    h.caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('a', 30));
    await h.time.advance(100);
    expect(h.requests).toHaveLength(before);
    expect(h.kube.requests).toHaveLength(1);
  });
});

describe('the view of a kind', () => {
  function cacheWith(...objects: ReturnType<typeof pod>[]) {
    const cache = new KindCache(Pod);
    cache.replace(objects, '10', 1);
    const changes: Change[] = [];
    cache.onChange((c) => changes.push(c));
    return { cache, changes };
  }

  test('an event that is behind the relay’s own write is ignored, but moves the position', () => {
    const { cache, changes } = cacheWith(pod('a', 5));
    cache.wrote(pod('a', 15));
    changes.length = 0;
    cache.watched('MODIFIED', pod('a', 12));
    expect(cache.get('ns/a')?.metadata.resourceVersion).toBe('15');
    expect(cache.position).toBe('12');
    expect(changes).toEqual([]);
  });

  test('an object that is gone does not come back with an event from before its end', () => {
    const { cache } = cacheWith(pod('a', 5));
    cache.watched('MODIFIED', pod('a', 11));
    cache.watched('DELETED', pod('a', 12));
    cache.watched('MODIFIED', pod('a', 11));
    cache.watched('ADDED', pod('a', 5));
    expect(cache.get('ns/a')).toBeUndefined();
    expect(cache.position).toBe('12');
  });

  test('however events are repeated after they came: the same view, each change told once, no step back', () => {
    const event = fc.record({ name: fc.constantFrom('a', 'b', 'c'), deleted: fc.boolean() });
    const echoes = fc.array(fc.nat({ max: 30 }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(event, echoes), { minLength: 1, maxLength: 30 }), (story) => {
        const plain = cacheWith();
        const echoed = cacheWith();
        const past: (() => void)[] = [];
        let version = 10;
        for (const [{ name, deleted }, repeats] of story) {
          const object = pod(name, ++version, {}, `uid-${name}-${deleted ? 'gone' : 'there'}`);
          const send = (cache: KindCache) => cache.watched(deleted ? 'DELETED' : 'MODIFIED', object);
          send(plain.cache);
          send(echoed.cache);
          past.push(() => send(echoed.cache));
          for (const i of repeats) past[i % past.length]?.();
          expect(echoed.cache.position).toBe(String(version));
        }
        expect([...echoed.cache.values()]).toEqual([...plain.cache.values()]);
        expect(echoed.changes).toEqual(plain.changes);
      }),
    );
  });
});
