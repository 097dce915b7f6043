// Priority lost on requeue; negative queue depth (controller-runtime issue 3157, PR 3066).
//
// Our queue knows no priorities: who waits longest is next. What must hold is that an error neither moves a key before others nor
// loses it, and that the depth is never less than what waits.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WorkQueue } from '../../events/relay/queue/work-queue.ts';
import { DeliveryHarness } from '../events/relay/support/delivery-harness.ts';
import { VirtualTime } from '../events/relay/support/virtual-time.ts';

test('a key that comes again after an error stands behind those that wait, and before those that come later', () => {
  const { ports } = new VirtualTime();
  const queue = new WorkQueue(ports.clock, ports.timers, () => undefined);
  for (const key of ['failing', 'b', 'c']) queue.add(key);
  expect(queue.take()).toBe('failing');
  queue.add('failing');
  queue.done('failing');
  queue.add('d');
  expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual(['b', 'c', 'failing', 'd']);
});

test('keys that fail without end take nothing from the others', async () => {
  const h = new DeliveryHarness('bad1', 'bad2', 'bad3', 'good');
  h.decide = (item) => (item.key.includes('bad') ? new Error('down') : { outcome: { type: 'done' }, actions: [] });
  h.delivery.start();
  await h.time.advance(30_000);
  h.delivery.visit('ns/good');
  await h.time.advance(20);
  expect(h.itemsOf('ns/good').length).toBeGreaterThanOrEqual(2);
  for (const key of ['ns/bad1', 'ns/bad2', 'ns/bad3']) expect(h.itemsOf(key).length).toBeGreaterThanOrEqual(4);
});

describe('whatever is done to a queue', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), key }),
    fc.record({ do: fc.constant('addAfter' as const), key, ms: fc.integer({ min: -5, max: 3_000 }) }),
    fc.record({ do: fc.constant('take' as const) }),
    fc.record({ do: fc.constant('done' as const), key }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 1_000 }) }),
  );

  test('depth and keys in flight are what they should be, never less than none, and no key is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const time = new VirtualTime();
        const queue = new WorkQueue(time.ports.clock, time.ports.timers, () => undefined);
        const inFlight = new Set<string>();
        const owed = new Set<string>();
        for (const s of steps) {
          if (s.do === 'add') {
            queue.add(s.key);
            owed.add(s.key);
          } else if (s.do === 'addAfter') {
            queue.addAfter(s.key, s.ms);
            owed.add(s.key);
          } else if (s.do === 'wait') await time.advance(s.ms);
          else if (s.do === 'done') {
            // Also for keys that are not in flight: an error path may say it twice.
            queue.done(s.key);
            inFlight.delete(s.key);
          } else {
            const taken = queue.take();
            if (taken !== undefined) {
              expect(inFlight).not.toContain(taken);
              inFlight.add(taken);
              owed.delete(taken);
            }
          }
          expect(queue.depth).toBeGreaterThanOrEqual(0);
          expect(queue.inFlight).toBe(inFlight.size);
        }
        await time.advance(10_000);
        for (let i = 0; i < 20; i++) {
          for (const k of inFlight) queue.done(k);
          inFlight.clear();
          const taken = queue.take();
          if (taken === undefined) break;
          owed.delete(taken);
          inFlight.add(taken);
        }
        expect([...owed]).toEqual([]);
        expect(queue.depth).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});
