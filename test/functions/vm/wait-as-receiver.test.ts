import { describe, expect, test } from 'vitest';
import { World } from './world.ts';

const TARGET = 'kubevirt.io/create-migration-target';
const RESTORE = 'kubevirt.io/restore-run-strategy';

/** A VM that waits for its guest, with a VMI that does not (any more). */
function arrived(completed: boolean, annotations: Record<string, string> = {}): World {
  const world = World.withVm({ runStrategy: 'WaitAsReceiver' }).started('Running', { migrationState: { completed } });
  world.changeVm((vm) => {
    vm.metadata.annotations = { ...vm.metadata.annotations, ...annotations };
  });
  world.changeInstance((vmi) => {
    delete vmi.metadata.annotations?.[TARGET];
  });
  return world;
}

describe('WaitAsReceiver (vm.md 5.8)', () => {
  test('vm case 42: no VMI: one that waits for its source', () => {
    const world = World.withVm({ runStrategy: 'WaitAsReceiver' });
    world.settle();
    expect(world.instance.metadata.annotations).toMatchObject({ [TARGET]: 'true' });
    world.phase('WaitingForSync');
    world.settle();
    expect(world.status).toMatchObject({ printableStatus: 'WaitingForReceiver', runStrategy: 'WaitAsReceiver' });
    expect(world.condition('Failure')).toBeUndefined();
  });

  test('vm case 43: the guest has come: the run strategy that the VM had where it came from', () => {
    const world = arrived(true, { [RESTORE]: 'Always' });
    world.settle();
    expect(world.vm.spec.runStrategy).toBe('Always');
    expect(world.vm.metadata.annotations).toHaveProperty([RESTORE], 'Always');
    expect(world.maybeInstance).toBeDefined();
  });

  test.each([undefined, 'WaitAsReceiver'])('the guest has come, the VM is to become %s: nothing', (restored) => {
    const world = arrived(true, restored === undefined ? {} : { [RESTORE]: restored });
    expect(world.settle().type).toBe('done');
    expect(world.vm.spec.runStrategy).toBe('WaitAsReceiver');
    expect(world.condition('Failure')).toBeUndefined();
  });

  test('vm case 44: a VMI that does not wait, and no migration that is completed', () => {
    const world = arrived(false);
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ status: 'True', reason: 'FailedCreate' });
    expect(world.maybeInstance?.metadata.deletionTimestamp).toBeUndefined();
  });
});
