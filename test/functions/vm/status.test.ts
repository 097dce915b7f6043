import { describe, expect, test } from 'vitest';
import { PersistentVolumeClaim } from '../../../functions/core/kinds.ts';
import type * as objects from '../../../functions/core/objects.ts';
import { createClaim, createSnapshotClass, createStorageClass } from './storage.ts';
import { FINALIZER, NAME, NAMESPACE, templateSpec, World } from './world.ts';

describe('printable status (vm.md 12.5)', () => {
  test('vm case 107: of a running VMI', () => {
    const world = World.withVm().started();
    expect(world.status.printableStatus).toBe('Running');
    world.phase('Running', { conditions: [{ type: 'Paused', status: 'True' }] });
    world.settle();
    expect(world.status.printableStatus).toBe('Paused');
    const startTimestamp = new Date(world.cluster.nowMs).toISOString();
    world.phase('Running', { migrationState: { startTimestamp } });
    world.settle();
    expect(world.status.printableStatus).toBe('Migrating');
    world.phase('Running', { migrationState: { startTimestamp, endTimestamp: startTimestamp } });
    world.settle();
    expect(world.status.printableStatus).toBe('Running');
    world.phase('Unknown', { migrationState: undefined });
    world.settle();
    expect(world.status.printableStatus).toBe('Unknown');
    world.deleteInstance();
    world.settle();
    expect(world.status.printableStatus).toBe('Stopping');
    world.deleteVm();
    world.settle();
    expect(world.status.printableStatus).toBe('Terminating');
  });

  test.each([
    { type: 'Synchronized', reason: 'FailedPvcNotFound', printable: 'ErrorPvcNotFound' },
    { type: 'PodScheduled', reason: 'Unschedulable', printable: 'ErrorUnschedulable' },
    { type: 'Synchronized', reason: 'ErrImagePull', printable: 'ErrImagePull' },
    { type: 'Synchronized', reason: 'ImagePullBackOff', printable: 'ImagePullBackOff' },
    { type: 'Synchronized', reason: 'Other', printable: 'Starting' },
  ])('$type False for $reason: $printable', ({ type, reason, printable }) => {
    const world = World.withVm().started('Scheduling', { conditions: [{ type, status: 'False', reason }] });
    expect(world.status.printableStatus).toBe(printable);
  });

  test.each([
    { runStrategy: 'Always', phase: 'Pending', printable: 'WaitingForVolumeBinding' },
    { runStrategy: 'Always', phase: 'Bound', printable: 'Starting' },
    { runStrategy: 'Halted', phase: 'Pending', printable: 'Stopped' },
  ])('$runStrategy with a claim that is $phase: $printable', ({ runStrategy, phase, printable }) => {
    const volumes = [{ name: 'boot', persistentVolumeClaim: { claimName: 'c1' } }];
    const world = World.withVm({ runStrategy }, templateSpec({ volumes }));
    world.cluster.create<objects.PersistentVolumeClaim>({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c1', namespace: NAMESPACE },
      spec: {},
    });
    world.cluster.change(
      { kind: 'PersistentVolumeClaim', apiVersion: 'v1', plural: '', namespaced: true, statusSubresource: true },
      'c1',
      NAMESPACE,
      (claim) => Object.assign(claim, { status: { phase } }),
    );
    world.settle();
    expect(world.status.printableStatus).toBe(printable);
  });
});

describe('conditions (vm.md 13)', () => {
  test('vm case 108: taken over from the VMI, but Failure and RestartRequired', () => {
    const world = World.withVm().started('Running', {
      conditions: [
        { type: 'Paused', status: 'True', message: 'by user' },
        { type: 'AgentConnected', status: 'True' },
        { type: 'Failure', status: 'True' },
        { type: 'RestartRequired', status: 'True' },
      ],
    });
    expect(world.status.conditions?.map((c) => c.type).sort()).toEqual(['AgentConnected', 'Paused', 'Ready']);
    expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'VMIConditionMissing' });
    world.phase('Running', { conditions: [{ type: 'AgentConnected', status: 'True' }] });
    world.settle();
    expect(world.condition('Paused')).toBeUndefined();
    world.phase('Succeeded', { conditions: [{ type: 'AgentConnected', status: 'True' }] });
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Halted';
    });
    world.settle();
    expect(world.condition('AgentConnected')).toMatchObject({ status: 'True' });
    expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'VMINotExists' });
  });
});

describe('status write (vm.md 12.1)', () => {
  test('vm case 118: the status PUT loses a race: the VMI is not released in that pass', () => {
    const world = World.withVm({ runStrategy: 'Manual' });
    world.request({ action: 'Start' });
    world.started();
    world.phase('Failed');
    world.cluster.holdWatch('VirtualMachine');
    world.changeVm((vm) => {
      vm.metadata.labels = { touched: 'yes' };
    });
    world.pass();
    expect(world.instance.metadata.finalizers).toContain(FINALIZER);
    world.cluster.releaseWatch('VirtualMachine');
    world.settle();
    expect(world.instance.metadata.finalizers ?? []).not.toContain(FINALIZER);
    expect(world.settle().actions).toEqual([]);
  });

  test('volume requests that the template fulfils are dropped', () => {
    // A strategy that is none ends the pass before it follows requests.
    const world = World.withVm({ runStrategy: 'Foo' });
    const done = { addVolumeOptions: { name: 'boot', disk: { name: 'boot' }, volumeSource: {} } };
    const open = { addVolumeOptions: { name: 'data', disk: { name: 'data' }, volumeSource: {} } };
    world.changeVm((vm) => {
      vm.status = { volumeRequests: [done, open, { removeVolumeOptions: { name: 'gone' } }] };
    });
    world.settle();
    expect(world.status.volumeRequests).toEqual([open]);
  });
});

describe('volumeSnapshotStatuses (snapshot-restore.md 12)', () => {
  test('snapshot case 78: volumes without claims', () => {
    const world = World.withVm({ runStrategy: 'Halted' });
    world.settle();
    expect(world.status.volumeSnapshotStatuses).toEqual([
      { name: 'boot', enabled: false, reason: expect.stringContaining('boot') },
    ]);
  });

  test('snapshot case 79: a class that is added later: enabled, with one write, and then no more', () => {
    const volumes = [{ name: 'boot', persistentVolumeClaim: { claimName: 'c1' } }];
    const world = World.withVm({ runStrategy: 'Halted' }, templateSpec({ volumes }));
    createClaim(world, 'c1');
    createStorageClass(world, 'fast');
    world.settle();
    expect(world.status.volumeSnapshotStatuses).toMatchObject([{ name: 'boot', enabled: false }]);
    createSnapshotClass(world, 'snap');
    expect(world.pass().actions).toHaveLength(1);
    expect(world.pass().actions).toEqual([]);
    expect(world.status.volumeSnapshotStatuses).toEqual([{ name: 'boot', enabled: true }]);
  });

  test('the claim with the state of a VM is one of its volumes', () => {
    const template = templateSpec();
    const devices = { ...template.domain.devices, tpm: { persistent: true } };
    const world = World.withVm({ runStrategy: 'Halted' }, { ...template, domain: { ...template.domain, devices } });
    world.settle();
    expect(world.status.volumeSnapshotStatuses?.map((s) => s.name)).toEqual(['boot']);
    createClaim(world, 'state-x', {}, { metadata: { labels: { 'persistent-state-for': NAME } } });
    createStorageClass(world, 'fast');
    createSnapshotClass(world, 'snap');
    world.settle();
    expect(world.status.volumeSnapshotStatuses?.[1]).toEqual({ name: `persistent-state-for-${NAME}`, enabled: true });
  });

  test('which claim holds the state can not be told: what was told stays', () => {
    const template = templateSpec();
    const devices = { ...template.domain.devices, tpm: { persistent: true } };
    const world = World.withVm({ runStrategy: 'Halted' }, { ...template, domain: { ...template.domain, devices } });
    const going = { labels: { 'persistent-state-for': NAME }, finalizers: ['f'] };
    for (const name of ['state-x', 'state-y']) {
      createClaim(world, name, {}, { metadata: going });
      world.cluster.delete(PersistentVolumeClaim, name, NAMESPACE);
    }
    world.changeVm((vm) => {
      vm.status = { volumeSnapshotStatuses: [{ name: 'boot', enabled: true }] };
    });
    expect(world.settle().type).toBe('done');
    expect(world.status.volumeSnapshotStatuses).toEqual([{ name: 'boot', enabled: true }]);
  });
});
