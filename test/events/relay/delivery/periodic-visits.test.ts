import { expect, test } from 'vitest';
import { drawVisitPeriod, visitPeriodically } from '../../../../events/relay/delivery/periodic-visits.ts';
import { DeliveryHarness } from '../support/delivery-harness.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const HOUR_MS = 3_600_000;

test('the period lies between 12 and 24 h', () => {
  const drawn = (next: number) => drawVisitPeriod({ next: () => next, uuid: () => '' }) / HOUR_MS;
  expect([drawn(0), drawn(0.5), drawn(0.999)]).toEqual([12, 18, expect.closeTo(24, 1)]);
});

test('every key is visited once per period, until it is stopped', async () => {
  const h = new DeliveryHarness('a', 'b');
  h.delivery.start();
  await h.time.advance(100);
  const stop = visitPeriodically(h.time.ports.timers, 12 * HOUR_MS, () => h.delivery.visitAll());
  await h.time.advance(11 * HOUR_MS);
  expect(h.itemsOf('ns/a')).toHaveLength(1);
  await h.time.advance(2 * HOUR_MS);
  expect(h.itemsOf('ns/a')).toHaveLength(2);
  expect(h.itemsOf('ns/b')).toHaveLength(2);
  await h.time.advance(12 * HOUR_MS);
  expect(h.itemsOf('ns/a')).toHaveLength(3);
  stop();
  await h.time.advance(48 * HOUR_MS);
  expect(h.itemsOf('ns/a')).toHaveLength(3);
});

test('a stop before the first visit holds too', async () => {
  const time = new VirtualTime();
  let visits = 0;
  visitPeriodically(time.ports.timers, 1000, () => void visits++)();
  await time.advance(5000);
  expect(visits).toBe(0);
});
