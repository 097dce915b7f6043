// A VM whose guest crashes is restarted in a tight loop, and can't be stopped meanwhile (kubevirt PR 5905).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startDelaySeconds } from '../../functions/vm/start-failure.ts';
import { World } from '../functions/vm/world.ts';

describe('the delay after a number of failures', () => {
  test.each([
    [1, 10, 15],
    [2, 40, 60],
    [3, 90, 135],
    [4, 160, 240],
    [5, 250, 300],
    [6, 300, 300],
    [7, 300, 300],
  ])('%i: %i to %i seconds', (failures, least, most) => {
    fc.assert(
      fc.property(fc.uuid(), (uid) => {
        const seconds = startDelaySeconds(failures, uid);
        expect(seconds).toBeGreaterThanOrEqual(least);
        expect(seconds).toBeLessThanOrEqual(most);
      }),
    );
  });
});

test('while it waits it comes again when the time is over; halted meanwhile, nothing is started and nothing counted', () => {
  const world = World.withVm();
  world.settle();
  world.phase('Failed');
  world.settle();
  const until = Date.parse(world.status.startFailure?.retryAfterTimestamp ?? '');
  world.cluster.nowMs += 3000;
  expect(world.settle()).toMatchObject({ type: 'requeue-after', afterMs: until - world.cluster.nowMs });
  expect(world.maybeInstance).toBeUndefined();
  world.changeVm((vm) => {
    vm.spec.runStrategy = 'Halted';
  });
  world.settle();
  world.cluster.nowMs += 600_000;
  world.settle();
  expect(world.maybeInstance).toBeUndefined();
  expect(world.status.startFailure).toBeUndefined();
});
