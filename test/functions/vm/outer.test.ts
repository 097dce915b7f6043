import { describe, expect, test } from 'vitest';
import { VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import { vm as controller } from '../../../functions/vm/reads.ts';
import { reconcile } from '../../../functions/vm/reconcile.ts';
import { ModelCluster } from '../model/cluster.ts';
import { Driver } from '../model/driver.ts';
import { FINALIZER, NAME, NAMESPACE, observed, templateSpec, World } from './world.ts';

describe('outer procedure', () => {
  test('vm case 1: the VM is gone: nothing', () => {
    const outcome = new Driver(new ModelCluster(), controller, reconcile).pass(`${NAMESPACE}/${NAME}`);
    expect(outcome).toEqual({ type: 'done', actions: [] });
  });

  test('vm case 2: without API version annotations: they alone are written', () => {
    const world = World.withNewVm({ runStrategy: 'Always' }, templateSpec());
    const outcome = world.pass();
    expect(outcome.type).toBe('done');
    expect(world.vm.metadata.annotations).toEqual(observed);
    expect(world.vm.metadata.finalizers).toBeUndefined();
    expect(world.vm.metadata.generation).toBe(1);
    expect(world.vm.status).toBeUndefined();
  });

  test('vm case 2: the PUT is refused: retry, nothing else', () => {
    const world = World.withNewVm({ runStrategy: 'Always' }, templateSpec());
    world.refuse('observe-api-version');
    world.pass();
    expect(world.pass()).toMatchObject({ type: 'retry', actions: [] });
    expect(world.vm.status).toBeUndefined();
    world.cluster.refuse.clear();
  });

  test.each([
    { before: undefined, after: [FINALIZER] },
    { before: ['foo'], after: ['foo', FINALIZER] },
  ])('vm case 3: finalizer appended to $before, then status', ({ before, after }) => {
    const world = World.withVm({ runStrategy: 'Halted' }, {}, { finalizers: before });
    world.pass();
    expect(world.vm.metadata.finalizers).toEqual(after);
    expect(world.vm.metadata.generation).toBe(1);
    expect(world.status.printableStatus).toBe('Stopped');
  });

  test('vm case 4: the finalizer patch fails: no status but the volumes of another controller, retry', () => {
    const world = World.withVm({ runStrategy: 'Halted' }, {}, { finalizers: [] });
    world.refuse('vm-finalizers');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.status.conditions).toBeUndefined();
    world.cluster.refuse.clear();
  });
});

describe('claim', () => {
  test('vm case 5: an orphan VMI is adopted, with its uid and the VM live', () => {
    const world = World.withVm({ runStrategy: 'Manual' });
    world.createInstance({}, { phase: 'Running', virtualMachineRevisionName: 'gone-1' });
    const { actions } = world.pass();
    expect(actions[0]).toMatchObject({
      patch: { type: 'merge', uid: world.instance.metadata.uid },
      preconditions: [{ type: 'live', kind: 'VirtualMachine', name: NAME, uid: world.vm.metadata.uid }],
    });
    expect(world.instance.metadata.ownerReferences).toEqual([world.reference()]);
    expect(world.status).toMatchObject({ created: true, printableStatus: 'Running' });
  });

  test('vm case 6: the live VM is being deleted: not adopted', () => {
    const world = World.withVm({ runStrategy: 'Manual' });
    world.createInstance({}, { phase: 'Running', virtualMachineRevisionName: 'gone-1' });
    world.cluster.holdWatch('VirtualMachine');
    world.deleteVm();
    world.pass();
    expect(world.instance.metadata.ownerReferences).toBeUndefined();
    world.cluster.releaseWatch('VirtualMachine');
  });

  test('vm case 6: the VMI is gone when it is to be adopted: Always creates one', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    world.createInstance({}, { phase: 'Running', virtualMachineRevisionName: 'gone-1' });
    world.cluster.holdWatch('VirtualMachineInstance');
    world.deleteInstance();
    world.pass();
    expect(world.maybeInstance).toBeUndefined();
    world.cluster.releaseWatch('VirtualMachineInstance');
    world.settle();
    expect(world.instance.metadata.ownerReferences).toEqual([world.reference()]);
  });

  test('vm case 7: a VMI of another owner: FailedCreate, retry', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    const other = world.reference('99999999-0000-4000-8000-000000000000');
    world.createInstance({ ownerReferences: [other] }, { phase: 'Running' });
    expect(world.pass().type).toBe('retry');
    expect(world.eventReasons).toEqual(['FailedCreate']);
    expect(world.condition('Failure')).toMatchObject({ status: 'True', reason: 'FailedCreate' });
    expect(world.instance.metadata.ownerReferences).toEqual([other]);
    expect(world.status).not.toHaveProperty('created');
  });

  test('vm case 7: the VMI of another owner is not seen yet: the same after the refusal', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    world.cluster.holdWatch('VirtualMachineInstance');
    world.createInstance({ ownerReferences: [world.reference('99999999-0000-4000-8000-000000000000')] });
    world.pass();
    expect(world.condition('Failure')).toBeUndefined();
    expect(world.pass().type).toBe('retry');
    expect(world.eventReasons).toEqual(['FailedCreate']);
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    world.cluster.releaseWatch('VirtualMachineInstance');
  });

  test('vm case 8: the VM is being deleted: an orphan VMI is let be', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    world.createInstance({}, { phase: 'Running' });
    world.deleteVm();
    world.settle();
    expect(world.maybeVm).toBeUndefined();
    expect(world.instance.metadata.ownerReferences).toBeUndefined();
  });

  test('vm case 8: an orphan VMI that is being deleted counts as none', () => {
    const world = World.withVm({ runStrategy: 'Manual' });
    world.createInstance({ finalizers: ['x/y'] }, { phase: 'Running' });
    world.deleteInstance();
    world.settle();
    expect(world.instance.metadata.ownerReferences).toBeUndefined();
    expect(world.status.printableStatus).toBe('Stopped');
  });

  test('vm case 12: a VMI of a VM of the same name and another uid is nothing to it', () => {
    const world = World.withVm({ runStrategy: 'Manual' });
    world.createInstance({ ownerReferences: [world.reference('99999999-0000-4000-8000-000000000000')] });
    world.settle();
    expect(world.status).toMatchObject({ printableStatus: 'Stopped' });
    expect(world.eventReasons).toEqual([]);
  });
});

describe('expectations', () => {
  test('vm case 18: the created VMI is not seen yet: Starting, no second one', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    world.cluster.holdWatch('VirtualMachineInstance', 'blind');
    world.pass();
    const { uid } = world.instance.metadata;
    world.changeVm((vm) => {
      vm.status = { ...vm.status, conditions: [{ type: 'Failure', status: 'True', reason: 'FailedCreate' }] };
    });
    expect(world.pass()).toMatchObject({ type: 'stale', expectation: { id: 'create-vmi' } });
    expect(world.status.printableStatus).toBe('Starting');
    expect(world.condition('Failure')).toBeUndefined();
    world.cluster.releaseWatch('VirtualMachineInstance');
    expect(world.settle().type).toBe('done');
    expect(world.instance.metadata.uid).toBe(uid);
    expect(world.eventReasons).toEqual(['SuccessfulCreate']);
  });

  test('vm case 18: the deletion is not seen yet: Stopping, no second one', () => {
    const world = World.withVm({ runStrategy: 'Always' }).started();
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Halted';
    });
    world.cluster.holdWatch('VirtualMachineInstance', 'blind');
    world.pass();
    expect(world.pass().type).toBe('stale');
    expect(world.status.printableStatus).toBe('Stopping');
    world.cluster.releaseWatch('VirtualMachineInstance');
    world.settle();
    expect(world.status.printableStatus).toBe('Stopping');
    expect(world.eventReasons).toEqual(['SuccessfulCreate', 'SuccessfulDelete']);
    expect(world.cluster.get(VirtualMachineInstance, NAME, NAMESPACE)?.metadata.deletionTimestamp).toBeDefined();
  });

  test('the answer to a creation is lost: the same VMI is asked for again, and found', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    world.cluster.holdWatch('VirtualMachineInstance', 'blind');
    world.pass({ reportLost: true });
    const { uid } = world.instance.metadata;
    world.pass();
    world.cluster.releaseWatch('VirtualMachineInstance');
    world.settle();
    expect(world.instance.metadata.uid).toBe(uid);
    expect(world.revisionGenerations).toEqual(['1']);
  });
});

describe('writes that end a pass', () => {
  test('a refused status: back-off before anything is tried again', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    world.refuse('create-vmi');
    world.refuse('status');
    world.pass();
    expect(world.pass()).toMatchObject({ type: 'retry' });
    expect(world.pass()).toMatchObject({ type: 'retry', actions: [] });
    world.cluster.refuse.clear();
  });
});
