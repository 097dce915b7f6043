import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_BATCH_BYTES, MAX_BATCH_ITEMS } from '../../../events/envelope/limits.ts';
import { batches } from '../../../events/relay/delivery/batch.ts';
import type { Action } from '../../../functions/core/action.ts';
import { Pod, VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import { configuration, widgetItem } from '../../functions/support/widget.ts';
import { DeliveryHarness, vmi } from './support/delivery-harness.ts';
import { pod } from './support/objects.ts';

const update = (name: string, rv: number): Action => ({ id: 'update', verb: 'update', object: vmi(name, rv) });
const done = { outcome: { type: 'done' }, actions: [] } as const;

async function started(...names: string[]) {
  const h = new DeliveryHarness(...names);
  h.delivery.start();
  await h.time.advance(100);
  return h;
}

describe('keys', () => {
  test('every key is delivered at the start, together up to the concurrency, and then nothing', async () => {
    const h = await started('a', 'b', 'c');
    expect(h.batches).toEqual([['ns/a', 'ns/b'], ['ns/c']]);
    await h.time.advance(3_600_000);
    expect(h.requests).toHaveLength(2);
  });

  test('never two passes of one key at once; changes meanwhile give one more', async () => {
    const h = new DeliveryHarness('a', 'b', 'c');
    h.latencyMs = 50;
    const answered = new Map<string, number>();
    let most = 0;
    h.decide = ({ key }) => {
      const before = answered.get(key) ?? 0;
      most = Math.max(most, h.itemsOf(key).length - before);
      answered.set(key, before + 1);
      return done;
    };
    h.delivery.start();
    await h.time.advance(10);
    for (let i = 0; i < 60; i++) {
      h.caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('a', 20 + i));
      if (i % 3 === 0) h.delivery.visit('ns/b');
      // Five changes within the first pass.
      await h.time.advance(i < 4 ? 0 : i === 4 ? 50 : 10);
    }
    await h.time.advance(1000);
    expect(most).toBe(1);
    const versions = h.itemsOf('ns/a').map((i) => i.primary?.metadata.resourceVersion);
    expect(versions.slice(0, 2)).toEqual(['5', '24']);
    expect(versions.at(-1)).toBe('79');
    expect(versions.length).toBeLessThan(20);
  });

  test('a key whose kinds are not known is held back until they are', async () => {
    const h = new DeliveryHarness('a');
    h.kindStates = { Pod: 'unknown' };
    h.delivery.start();
    await h.time.advance(1000);
    expect(h.requests).toHaveLength(0);
    h.kindStates = {};
    h.delivery.retryHeldBack();
    await h.time.advance(100);
    expect(h.batches).toEqual([['ns/a']]);
  });

  test('keys wait until there is a configuration', async () => {
    const h = new DeliveryHarness('a');
    h.configured = false;
    h.delivery.start();
    await h.time.advance(1000);
    expect(h.requests).toHaveLength(0);
    h.configured = true;
    h.delivery.retryHeldBack();
    await h.time.advance(100);
    expect(h.batches).toEqual([['ns/a']]);
  });

  test('a primary that went is delivered as absent', async () => {
    const h = await started('a');
    h.caches.of(VirtualMachineInstance).watched('DELETED', vmi('a', 30));
    await h.time.advance(100);
    expect(h.itemsOf('ns/a').at(-1)?.primary).toBeNull();
  });
});

describe('outcomes', () => {
  test('requeue-after and retry come again after their time, requeue also after other visits', async () => {
    for (const outcome of [
      { type: 'requeue-after', afterMs: 8_000 } as const,
      { type: 'retry', reason: 'x', afterMs: 8_000 } as const,
    ]) {
      const h = new DeliveryHarness('a');
      h.decide = () => (h.requests.length === 1 ? { outcome, actions: [] } : done);
      h.delivery.start();
      await h.time.advance(7_900);
      expect(h.requests).toHaveLength(1);
      await h.time.advance(200);
      expect(h.requests).toHaveLength(2);
    }
  });

  test('stale comes again as soon as the reflector has reached the version', async () => {
    const h = new DeliveryHarness('a');
    h.decide = () =>
      h.requests.length === 1
        ? { outcome: { type: 'stale', kind: 'Pod', resourceVersion: '42', afterMs: 300_000 }, actions: [] }
        : done;
    h.delivery.start();
    await h.time.advance(60_000);
    h.caches.of(Pod).bookmarked('41');
    await h.time.advance(1_000);
    expect(h.requests).toHaveLength(1);
    h.caches.of(Pod).bookmarked('42');
    await h.time.advance(1_000);
    expect(h.requests).toHaveLength(2);
  });

  test('busy and left come again soon', async () => {
    for (const type of ['busy', 'left'] as const) {
      const h = new DeliveryHarness('a');
      h.decide = () => (h.requests.length === 1 ? { outcome: { type }, actions: [] } : done);
      h.delivery.start();
      await h.time.advance(1_000);
      expect(h.requests).toHaveLength(2);
    }
  });
});

describe('results', () => {
  test('a failed action comes back at once with its result, once', async () => {
    const h = new DeliveryHarness('a');
    h.kube.answer = () => ({ status: 403, body: { reason: 'Forbidden', message: 'no' } });
    h.decide = (item) =>
      item.results.length === 0 && h.requests.length === 1
        ? { outcome: { type: 'done' }, actions: [update('a', 5)] }
        : done;
    h.delivery.start();
    await h.time.advance(50);
    expect(h.itemsOf('ns/a').map((i) => i.results)).toEqual([
      [],
      [{ id: 'update', status: 'failed', code: 403, reason: 'Forbidden', message: 'no' }],
    ]);
    h.caches.of(VirtualMachineInstance).watched('MODIFIED', vmi('a', 30));
    await h.time.advance(50);
    expect(h.itemsOf('ns/a').at(-1)?.results).toEqual([]);
  });

  test.each(['busy', 'left'] as const)('results are told again after a pass that was put off: %s', async (type) => {
    const h = new DeliveryHarness('a');
    h.kube.answer = () => ({ status: 200, body: vmi('a', 11) });
    h.decide = () => {
      if (h.requests.length === 1) return { outcome: { type: 'done' }, actions: [update('a', 5)] };
      return h.requests.length === 2 ? { outcome: { type }, actions: [] } : done;
    };
    h.delivery.start();
    await h.time.advance(5000);
    expect(h.itemsOf('ns/a').map((i) => i.results.map((r) => r.status))).toEqual([[], ['done'], ['done']]);
    h.delivery.visit('ns/a');
    await h.time.advance(5000);
    expect(h.itemsOf('ns/a').at(-1)?.results).toEqual([]);
  });

  test('results are told again when the answer to their delivery was lost', async () => {
    const h = new DeliveryHarness('a');
    h.kube.answer = () => ({ status: 403, body: { reason: 'Forbidden', message: 'no' } });
    h.decide = () => {
      if (h.requests.length === 1) return { outcome: { type: 'done' }, actions: [update('a', 5)] };
      return h.requests.length === 2 ? new Error('connection reset') : done;
    };
    h.delivery.start();
    await h.time.advance(5_000);
    expect(h.itemsOf('ns/a').map((i) => [i.attempt, i.results.length])).toEqual([
      [1, 0],
      [1, 1],
      [2, 1],
    ]);
  });

  test('a lost race comes again with the newer version, not as a failure', async () => {
    const h = new DeliveryHarness('a');
    h.kube.answer = (r) =>
      r.method === 'PUT' ? { status: 409, body: { reason: 'Conflict' } } : { status: 200, body: vmi('a', 33) };
    h.decide = () => (h.requests.length === 1 ? { outcome: { type: 'done' }, actions: [update('a', 5)] } : done);
    h.delivery.start();
    await h.time.advance(1_000);
    const second = h.itemsOf('ns/a')[1];
    expect(second?.primary?.metadata.resourceVersion).toBe('33');
    expect(second?.results[0]?.status).toBe('conflict');
  });

  test('a patch that fails its test though nobody changed the object is a failure', async () => {
    const h = new DeliveryHarness('a');
    const patch: Action = {
      id: 'p',
      verb: 'patch',
      target: { kind: 'VirtualMachineInstance', namespace: 'ns', name: 'a' },
      patch: { type: 'json', operations: [{ op: 'test', path: '/spec', value: 1 }] },
    };
    h.kube.answer = (r) =>
      r.method === 'PATCH'
        ? { status: 422, body: { reason: 'Invalid', message: 'bad' } }
        : { status: 200, body: vmi('a', 5) };
    h.decide = () => (h.requests.length === 1 ? { outcome: { type: 'done' }, actions: [patch] } : done);
    h.delivery.start();
    await h.time.advance(1_000);
    expect(h.itemsOf('ns/a')[1]?.results[0]).toMatchObject({ status: 'failed', code: 422 });
  });

  test('races lost without end slow down', async () => {
    const h = new DeliveryHarness('a');
    h.kube.answer = () => ({ status: 200, body: { items: [pod('other', 1)] } });
    const create: Action = {
      id: 'c',
      verb: 'create',
      object: pod('x', 0, { owner: 'uid-a', spec: { containers: [] } }),
      preconditions: [{ type: 'absent-labels', kind: 'Pod', namespace: 'ns', labels: { a: 'b' } }],
    };
    h.decide = () => ({ outcome: { type: 'done' }, actions: [create] });
    h.delivery.start();
    await h.time.advance(60_000);
    expect(h.requests.length).toBeLessThan(20);
    expect(h.requests.length).toBeGreaterThan(5);
  });
});

describe('size', () => {
  /** What a key is shown besides itself. */
  const weighing = (key: string, bytes: number, rv: number) =>
    pod(`of-${key}`, rv, { owner: `uid-${key}`, padding: 'x'.repeat(bytes) });

  async function withPods(sizes: Readonly<Record<string, number>>) {
    const h = new DeliveryHarness(...Object.keys(sizes));
    h.kube.answer = (r) => ({ status: 201, body: JSON.parse(String(r.body ?? '{}')) });
    h.caches.of(Pod).replace(
      Object.entries(sizes).map(([key, bytes]) => weighing(key, bytes, 5)),
      '10',
      1,
    );
    h.delivery.start();
    await h.time.advance(1_000);
    return h;
  }
  const eventsOf = (h: DeliveryHarness) =>
    h.kube.requests
      .filter((r) => r.path.endsWith('/events'))
      .map((r) => JSON.parse(String(r.body)) as { type: string; reason: string; involvedObject: { name: string } });

  test('a snapshot that exceeds the cap alone gets a Warning event; the others are served', async () => {
    const h = await withPods({ a: MAX_BATCH_BYTES, b: 10 });
    expect(h.batches).toEqual([['ns/b']]);
    expect(eventsOf(h)).toMatchObject([
      { type: 'Warning', reason: 'SnapshotTooLarge', involvedObject: { name: 'a', namespace: 'ns', uid: 'uid-a' } },
    ]);
    await h.time.advance(3_600_000);
    expect(h.kube.requests).toHaveLength(1);
  });

  test('it is served when it shrinks', async () => {
    const h = await withPods({ a: MAX_BATCH_BYTES });
    h.caches.of(Pod).watched('MODIFIED', weighing('a', MAX_BATCH_BYTES, 11));
    await h.time.advance(1_000);
    expect(h.requests).toHaveLength(0);
    h.caches.of(Pod).watched('MODIFIED', weighing('a', 10, 12));
    await h.time.advance(1_000);
    expect(h.batches).toEqual([['ns/a']]);
  });

  test('keys that together exceed the cap travel apart', async () => {
    const h = await withPods({ a: MAX_BATCH_BYTES * 0.6, b: MAX_BATCH_BYTES * 0.6 });
    expect(h.batches).toEqual([['ns/a'], ['ns/b']]);
    expect(h.kube.requests).toEqual([]);
  });

  test.each([
    ['many small ones', fc.array(fc.constantFrom(0, 10, 1_000), { minLength: 90, maxLength: 300 })],
    ['a few large ones', fc.array(fc.constantFrom(10, 1_500_000, 3_900_000, 5_000_000), { maxLength: 8 })],
  ])('batches keep to both limits, and lose and repeat nothing: %s', (_, sizesOf) => {
    const base = { cluster: 'c', token: 1, timeMs: 0, listedToken: 1, configuration };
    fc.assert(
      fc.property(sizesOf, (sizes) => {
        const items = sizes.map((bytes, i) => widgetItem(`w${i}`, 'x'.repeat(bytes)));
        let ids = 0;
        const made = batches(items, base, () => `id-${ids++}`);
        expect(made.flatMap((b) => b.request.items)).toEqual(items);
        expect(new Set(made.map((b) => b.request.deliveryId)).size).toBe(made.length);
        for (const { request, body } of made) {
          expect(request.items.length).toBeLessThanOrEqual(MAX_BATCH_ITEMS);
          if (request.items.length > 1) expect(body.length).toBeLessThanOrEqual(MAX_BATCH_BYTES);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('a function that fails', () => {
  test('costs its keys a back-off of 1, 2, 4, 8, 16, 16 s, and they travel alone', async () => {
    const h = new DeliveryHarness('a', 'b');
    h.decide = () => new Error('down');
    const at: number[] = [];
    h.delivery.start();
    for (let s = 0; s < 700; s++) {
      const before = h.itemsOf('ns/a').length;
      await h.time.advance(100);
      if (h.itemsOf('ns/a').length > before) at.push(s / 10);
    }
    expect(at.slice(1, 7).map((t, i) => Math.round(t - (at[i] ?? 0)))).toEqual([1, 2, 4, 8, 16, 16]);
    expect(h.batches[0]).toEqual(['ns/a', 'ns/b']);
    expect(h.batches.slice(1).every((b) => b.length === 1)).toBe(true);
  });

  test('an answer to another request, or a changed one, is refused and nothing is done', async () => {
    const tampers: ((b: Uint8Array) => Uint8Array)[] = [
      (b) =>
        new TextEncoder().encode(
          Buffer.from(b)
            .toString('utf8')
            .replace(/"deliveryId":"[^"]*"/, '"deliveryId":"other"'),
        ),
      (b) => b.slice(0, b.length / 2),
      () => new TextEncoder().encode('not json'),
      () => new TextEncoder().encode('['.repeat(100_000)),
    ];
    for (const tamper of tampers) {
      const h = new DeliveryHarness('a');
      h.tamper = tamper;
      h.decide = () => ({ outcome: { type: 'done' }, actions: [update('a', 5)] });
      h.delivery.start();
      await h.time.advance(500);
      expect(h.requests).toHaveLength(1);
      expect(h.kube.requests).toHaveLength(0);
    }
  });

  test('an answer that comes after the token changed is not applied', async () => {
    const h = new DeliveryHarness('a');
    h.decide = () => {
      h.token = 2;
      return { outcome: { type: 'done' }, actions: [update('a', 5)] };
    };
    h.delivery.start();
    await h.time.advance(500);
    expect(h.kube.requests).toHaveLength(0);
  });
});
