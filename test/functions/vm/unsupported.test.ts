import { expect, test } from 'vitest';
import { World } from './world.ts';

test.each([{ runStrategy: 'WaitAsReceiver' }])(
  'a VM that needs what is not there is not started, and says so: $runStrategy',
  (fields) => {
    const world = World.withVm(fields);
    world.pass();
    expect(world.settle()).toMatchObject({ type: 'retry', actions: [] });
    expect(world.condition('Failure')).toMatchObject({ status: 'True', reason: 'UnsupportedSyncError' });
    expect(world.maybeInstance).toBeUndefined();
    expect(world.revisions).toEqual([]);
    expect(world.eventReasons).toEqual([]);
    world.deleteVm();
    world.settle();
    expect(world.maybeVm).toBeUndefined();
  },
);
