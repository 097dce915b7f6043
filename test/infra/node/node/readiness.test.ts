import { expect, test } from 'vitest';
import { ReadinessWatch } from '../../../../infra/node/node/readiness.ts';

test('a short silence of the hypervisor changes nothing', () => {
  const watch = new ReadinessWatch(0);
  expect(watch.hear('connection refused', 1000, 1001)).toBe(false);
  expect(watch.hear('connection refused', 3001, 8999)).toBe(false);
  expect(watch.hear(undefined, 9000, 9001)).toBe(false);
  expect(watch.hear('connection refused', 9500, 9501)).toBe(false);
  expect(watch.now).toEqual({ type: 'ready', sinceMs: 0 });
});

test('a long silence makes the node unready, counted from the first question, and an answer ready again', () => {
  const watch = new ReadinessWatch(0);
  expect(watch.hear('no answer within 10000 ms', 1000, 11_000)).toBe(true);
  const since = watch.now;
  expect(since).toMatchObject({ type: 'not-ready', sinceMs: 11_000, message: expect.stringContaining('no answer') });
  expect(watch.hear('no answer within 10000 ms', 13_000, 23_000)).toBe(false);
  expect(watch.now).toBe(since);
  expect(watch.hear(undefined, 25_000, 25_010)).toBe(true);
  expect(watch.now).toEqual({ type: 'ready', sinceMs: 25_010 });
});
