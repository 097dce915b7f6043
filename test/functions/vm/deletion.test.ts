import { describe, expect, test } from 'vitest';
import { FINALIZER, World } from './world.ts';

describe('deletion (vm.md 14)', () => {
  test('vm case 115: first the VMI, then the finalizer', () => {
    const world = World.withVm().started();
    world.deleteVm();
    world.settle();
    expect(world.instance.metadata.deletionTimestamp).toBeDefined();
    expect(world.vm.metadata.finalizers).toEqual([FINALIZER]);
    expect(world.eventReasons).toEqual(['SuccessfulCreate', 'SuccessfulDelete']);
    world.phase('Succeeded');
    world.settle();
    expect(world.maybeInstance).toBeUndefined();
    expect(world.maybeVm).toBeUndefined();
  });

  test('vm case 116: with finalizer orphan the VMI stays', () => {
    const world = World.withVm({ runStrategy: 'Always' }, {}, { finalizers: [FINALIZER, 'orphan'] }).started();
    world.deleteVm();
    world.settle();
    expect(world.vm.metadata.finalizers).toEqual(['orphan']);
    expect(world.instance.metadata.deletionTimestamp).toBeUndefined();
    expect(world.status.printableStatus).toBe('Terminating');
  });

  test('vm case 124: generations while the VMI goes', () => {
    const world = World.withVm().started();
    world.deleteVm();
    world.settle();
    expect(world.status).toMatchObject({
      created: true,
      observedGeneration: 1,
      desiredGeneration: 2,
      printableStatus: 'Terminating',
    });
  });

  test('the deletion of the VMI is refused: FailedDelete', () => {
    const world = World.withVm().started();
    world.deleteVm();
    world.refuse('delete-vmi');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedDelete' });
    expect(world.vm.metadata.finalizers).toEqual([FINALIZER]);
    world.cluster.refuse.clear();
  });

  test('a created VMI that is not seen yet: the VM waits for it', () => {
    const world = World.withVm();
    world.cluster.holdWatch('VirtualMachineInstance', 'blind');
    world.pass();
    world.deleteVm();
    expect(world.pass().type).toBe('stale');
    expect(world.maybeVm).toBeDefined();
    world.cluster.releaseWatch('VirtualMachineInstance');
    world.settle();
    expect(world.instance.metadata.deletionTimestamp).toBeDefined();
  });
});
