import { describe, expect, test } from 'vitest';
import { FINALIZER, World } from './world.ts';

const decentralized = (completed: boolean) => ({
  migrationState: { sourceState: { syncAddress: '192.0.2.9' }, targetState: {}, completed },
});

describe('effective run strategy', () => {
  test('vm case 19: running and runStrategy: hard error, no status', () => {
    const world = World.withVm({ running: true, runStrategy: 'Always' });
    world.pass();
    expect(world.pass()).toMatchObject({ type: 'retry', actions: [] });
    expect(world.status.conditions).toBeUndefined();
    expect(world.maybeInstance).toBeUndefined();
  });

  test('vm case 20: neither: Stopped', () => {
    const world = World.withVm({});
    world.settle();
    expect(world.status.printableStatus).toBe('Stopped');
    expect(world.maybeInstance).toBeUndefined();
  });

  test.each([['Foo'], ['']])('vm case 46: runStrategy %j: FailedCreate', (runStrategy) => {
    const world = World.withVm({ runStrategy });
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ status: 'True', reason: 'FailedCreate' });
  });
});

describe('Always', () => {
  test('vm case 21: revision, then VMI', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    const { actions } = world.pass();
    expect(actions.map((a) => a.id)).toEqual(['create-revision', 'create-vmi', 'event SuccessfulCreate', 'status']);
    expect(world.status.printableStatus).toBe('Starting');
    expect(world.status).not.toHaveProperty('created');
    expect(world.status).not.toHaveProperty('runStrategy');
    expect(world.eventReasons).toEqual(['SuccessfulCreate']);
  });

  test('vm case 22: the VMI runs', () => {
    const world = World.withVm({ running: true }).started();
    expect(world.status).toMatchObject({
      created: true,
      ready: true,
      runStrategy: 'Always',
      printableStatus: 'Running',
    });
    world.phase('Running', { conditions: [{ type: 'Ready', status: 'False' }] });
    world.settle();
    expect(world.status).not.toHaveProperty('ready');
  });

  test('vm case 23: Succeeded after running: deleted, its finalizer released after the status', () => {
    const world = World.withVm({ runStrategy: 'Always' }).started();
    world.phase('Succeeded');
    const { actions } = world.pass();
    const ids = actions.map((a) => a.id);
    expect(ids).toEqual(['delete-vmi', 'event SuccessfulDelete', 'status', 'vmi-finalizers']);
    expect(world.status.printableStatus).toBe('Stopped');
    expect(world.maybeInstance).toBeUndefined();
  });

  test('vm case 24: Failed without ever running: counted once, held back', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    world.settle();
    world.changeInstance((vmi) => {
      vmi.metadata.finalizers = [...(vmi.metadata.finalizers ?? []), 'x/pods'];
    });
    world.phase('Failed');
    world.pass();
    const failure = world.status.startFailure;
    expect(failure).toMatchObject({ consecutiveFailCount: 1, lastFailedVMIUID: world.instance.metadata.uid });
    const delaySeconds = (Date.parse(failure?.retryAfterTimestamp ?? '') - world.cluster.nowMs) / 1000;
    expect(delaySeconds).toBeGreaterThanOrEqual(10);
    expect(delaySeconds).toBeLessThanOrEqual(15);
    expect(world.status.printableStatus).toBe('CrashLoopBackOff');
    world.settle();
    expect(world.status.startFailure).toEqual(failure);
  });

  test('vm case 25: 8 s to wait: no VMI, wake-up', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    waitFor(world, 8);
    world.pass();
    expect(world.settle()).toMatchObject({ type: 'requeue-after', afterMs: 8000 });
    expect(world.maybeInstance).toBeUndefined();
    expect(world.status.printableStatus).toBe('CrashLoopBackOff');
  });

  test('vm case 26: the wait is over: started; the count stays until a VMI runs', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    waitFor(world, 8);
    world.settle();
    world.cluster.nowMs += 8000;
    world.settle();
    expect(world.status.printableStatus).toBe('Starting');
    expect(world.status.startFailure?.consecutiveFailCount).toBe(1);
    world.phase('Running');
    world.settle();
    expect(world.status).not.toHaveProperty('startFailure');
  });

  test.each([['Manual'], ['Halted']])('vm case 27: changed to %s: no start failure', (runStrategy) => {
    const world = World.withVm({ runStrategy: 'Always' });
    waitFor(world, 100);
    world.settle();
    world.changeVm((vm) => {
      vm.spec.runStrategy = runStrategy;
    });
    world.settle();
    expect(world.status).not.toHaveProperty('startFailure');
    expect(world.maybeInstance).toBeUndefined();
  });

  test('vm case 29: a restart: Stop with the uid, then Start', () => {
    const world = World.withVm({ runStrategy: 'Always' }).started();
    const { uid } = world.instance.metadata;
    world.request({ action: 'Stop', uid }, { action: 'Start' });
    world.settle();
    expect(world.status.printableStatus).toBe('Stopping');
    expect(world.status.stateChangeRequests).toHaveLength(2);
    world.phase('Succeeded');
    world.pass();
    world.pass();
    expect(world.status.stateChangeRequests).toEqual([{ action: 'Start' }]);
    expect(world.instance.metadata.uid).not.toBe(uid);
    world.settle();
    expect(world.status).not.toHaveProperty('stateChangeRequests');
    expect(world.maybeInstance?.metadata.deletionTimestamp).toBeUndefined();
  });

  test.each([['99999999-0000-4000-8000-000000000000'], [undefined]])('vm case 30: Stop for uid %s: dropped', (uid) => {
    const world = World.withVm({ runStrategy: 'Always' }).started();
    world.request({ action: 'Stop', ...(uid === undefined ? {} : { uid }) });
    world.settle();
    expect(world.status).not.toHaveProperty('stateChangeRequests');
    expect(world.instance.metadata.deletionTimestamp).toBeUndefined();
  });

  test('vm case 31: the guest has moved to another cluster: halted, then the VMI is deleted', () => {
    const world = World.withVm({ runStrategy: 'Always' }).started();
    world.phase('Succeeded', decentralized(true));
    world.pass();
    expect(world.vm.spec.runStrategy).toBe('Halted');
    expect(world.instance.metadata.deletionTimestamp).toBeUndefined();
    world.settle();
    expect(world.maybeInstance).toBeUndefined();
    expect(world.status.printableStatus).toBe('Stopped');
  });

  test('vm case 31: it is moving: wait 2 s', () => {
    const world = World.withVm({ running: true }).started();
    world.phase('Succeeded', decentralized(false));
    expect(world.pass()).toMatchObject({ type: 'requeue-after', afterMs: 2000 });
    expect(world.eventReasons).toEqual(['SuccessfulCreate']);
  });

  test('the guest has moved, and the VM uses `running`: that is set to false', () => {
    const world = World.withVm({ running: true }).started();
    world.phase('Succeeded', decentralized(true));
    world.settle();
    expect(world.vm.spec).toMatchObject({ running: false });
    expect(world.vm.spec.runStrategy).toBeUndefined();
    expect(world.status.printableStatus).toBe('Stopped');
  });
});

describe('RerunOnFailure', () => {
  test('vm case 32: Succeeded: deleted, and not started again', () => {
    const world = World.withVm({ runStrategy: 'RerunOnFailure' }).started();
    world.phase('Succeeded');
    world.settle();
    expect(world.maybeInstance).toBeUndefined();
    expect(world.status).toMatchObject({ runStrategy: 'RerunOnFailure', printableStatus: 'Stopped' });
  });

  test('vm case 33: Failed before it ran: deleted, Start requested, started after the delay', () => {
    const world = World.withVm({ runStrategy: 'RerunOnFailure' });
    world.settle();
    const { uid } = world.instance.metadata;
    world.phase('Failed');
    expect(world.settle().type).toBe('requeue-after');
    expect(world.maybeInstance).toBeUndefined();
    expect(world.status.stateChangeRequests).toEqual([{ action: 'Start' }]);
    expect(world.status.printableStatus).toBe('CrashLoopBackOff');
    world.cluster.nowMs += 15_000;
    world.settle();
    expect(world.instance.metadata.uid).not.toBe(uid);
  });

  test('vm case 33: Failed and being deleted already: no Start', () => {
    const world = World.withVm({ runStrategy: 'RerunOnFailure' }).started();
    world.changeInstance((vmi) => {
      vmi.metadata.finalizers = [FINALIZER, 'x/pods'];
    });
    world.deleteInstance();
    world.phase('Failed');
    world.settle();
    expect(world.status).not.toHaveProperty('stateChangeRequests');
  });

  test.each([[0], [1], [2], [3], [4], [5]])('cut after %i actions, a failed VMI is followed by one start', (limit) => {
    const world = World.withVm({ runStrategy: 'RerunOnFailure' }).started();
    const { uid } = world.instance.metadata;
    world.phase('Failed');
    world.pass({ limit });
    world.settle();
    expect(world.instance.metadata.uid).not.toBe(uid);
    expect(world.status).not.toHaveProperty('stateChangeRequests');
  });

  test.each([[undefined], ['Halted']])('vm case 34: status.runStrategy %s: started', (runStrategy) => {
    const world = World.withVm({ runStrategy: 'RerunOnFailure' });
    world.changeVm((vm) => {
      vm.status = { runStrategy };
    });
    world.settle();
    expect(world.maybeInstance).toBeDefined();
  });

  test('vm case 35: the Start request is refused: FailedDelete, retry', () => {
    const world = World.withVm({ runStrategy: 'RerunOnFailure' }).started();
    world.phase('Failed');
    world.refuse('request-start');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedDelete' });
    world.cluster.refuse.clear();
  });
});

describe('Manual', () => {
  test('vm case 36: Failed, no request: the VMI stays, released', () => {
    const world = World.withVm({ runStrategy: 'Manual' });
    world.request({ action: 'Start' });
    world.started();
    world.phase('Failed');
    world.settle();
    expect(world.instance.metadata.deletionTimestamp).toBeUndefined();
    expect(world.instance.metadata.finalizers ?? []).not.toContain(FINALIZER);
    expect(world.status.printableStatus).toBe('Stopped');
  });

  test('vm case 37: no request: nothing; Start refused: the request stays', () => {
    const world = World.withVm({ runStrategy: 'Manual' });
    world.settle();
    expect(world.maybeInstance).toBeUndefined();
    world.request({ action: 'Start' });
    world.refuse('create-vmi');
    world.pass();
    world.pass();
    expect(world.status.stateChangeRequests).toEqual([{ action: 'Start' }]);
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    world.cluster.refuse.clear();
  });
});

describe('Halted', () => {
  test('vm case 38: a start request turns runStrategy to Always, and is followed', () => {
    const world = World.withVm({ runStrategy: 'Halted' });
    world.settle();
    world.request({ action: 'Start', data: { paused: 'true' } });
    world.pass();
    expect(world.vm.spec.runStrategy).toBe('Always');
    expect(world.status.stateChangeRequests).toHaveLength(1);
    world.settle();
    expect(world.instance.spec.startStrategy).toBe('Paused');
    expect(world.status).not.toHaveProperty('stateChangeRequests');
    expect(world.condition('Failure')).toBeUndefined();
  });

  test('vm case 38: with `running` that is set to true', () => {
    const world = World.withVm({ running: false });
    world.request({ action: 'Start' });
    world.settle();
    expect(world.vm.spec).toMatchObject({ running: true });
    expect(world.maybeInstance).toBeDefined();
  });

  test('vm case 38: the PUT is refused: FailedCreate', () => {
    const world = World.withVm({ runStrategy: 'Halted' });
    world.request({ action: 'Start' });
    world.refuse('run');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    world.cluster.refuse.clear();
  });

  test('vm case 39: a running VMI is deleted', () => {
    const world = halted();
    world.settle();
    expect(world.instance.metadata.deletionTimestamp).toBeDefined();
  });

  test('vm case 39: the DELETE is refused: event, FailedDelete, retry', () => {
    const world = halted();
    world.refuse('delete-vmi');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.eventReasons).toEqual(['SuccessfulCreate', 'FailedDelete']);
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedDelete' });
    expect(world.status.printableStatus).toBe('Running');
    world.cluster.refuse.clear();
  });

  test('vm case 40: a VMI that is being deleted: no second DELETE', () => {
    const world = halted();
    world.deleteInstance();
    world.settle();
    expect(world.status.printableStatus).toBe('Stopping');
    expect(world.eventReasons).toEqual(['SuccessfulCreate']);
  });
});

describe('Once', () => {
  test.each([
    { before: 'Running', printable: 'Stopped' },
    { before: 'Scheduling', printable: 'CrashLoopBackOff' },
  ])('vm case 41: Failed after $before: $printable', ({ before, printable }) => {
    const world = World.withVm({ runStrategy: 'Once' }).started(before);
    world.phase('Failed');
    world.settle();
    expect(world.instance.metadata.deletionTimestamp).toBeUndefined();
    expect(world.instance.metadata.finalizers ?? []).not.toContain(FINALIZER);
    expect(world.status.printableStatus).toBe(printable);
  });

  test('vm case 41: no VMI: started without waiting', () => {
    const world = World.withVm({ runStrategy: 'Once' });
    waitFor(world, 100);
    world.settle();
    expect(world.maybeInstance).toBeDefined();
  });
});

test('vm case 45: a VMI that waits for its source and is being deleted is released', () => {
  const world = World.withVm({ runStrategy: 'Always' }).started('WaitingForSync');
  world.changeInstance((vmi) => {
    vmi.metadata.finalizers = [FINALIZER, 'x/pods'];
  });
  world.deleteInstance();
  world.settle();
  expect(world.instance.metadata.finalizers).toEqual(['x/pods']);
});

function halted(): World {
  const world = World.withVm({ runStrategy: 'Always' }).started();
  world.changeVm((vm) => {
    vm.spec.runStrategy = 'Halted';
  });
  return world;
}

/** One counted failure, and that long to wait. */
function waitFor(world: World, seconds: number): void {
  const retryAfterTimestamp = new Date(world.cluster.nowMs + seconds * 1000).toISOString();
  world.changeVm((vm) => {
    vm.status = { startFailure: { consecutiveFailCount: 1, lastFailedVMIUID: 'gone', retryAfterTimestamp } };
  });
}
