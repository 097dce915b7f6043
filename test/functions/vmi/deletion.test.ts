import { describe, expect, test } from 'vitest';
import { handedOver, pod, runningPod, virtualMachine, vmi } from './fixtures.ts';
import { worldOf } from './worlds.ts';

const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const VM_FINALIZER = 'kubevirt.io/virtualMachineControllerFinalize';

describe('deletion (vmi.md 6.1)', () => {
  test.each(['', 'Pending', 'Scheduling', 'Scheduled', 'Running', 'Succeeded', 'Failed', 'WaitingForSync'])(
    'vmi case 63: VMI in phase "%s" deleted: both pods go, another VMI\'s stays',
    (phase) => {
      const other = pod('Running', {
        name: 'other',
        metadata: { ownerReferences: [], labels: { 'kubevirt.io/created-by': 'x' } },
      });
      const world = worldOf(
        vmi(phase, { metadata: deleted }),
        pod('Pending'),
        pod('Running', { name: 'second' }),
        other,
      );
      world.pass();
      expect(world.pod.metadata.name).toBe('other');
      expect(world.events).toEqual(['Normal SuccessfulDelete', 'Normal SuccessfulDelete']);
    },
  );

  test('vmi case 64: a finished pod is deleted again though it is being deleted (VMI-03)', () => {
    const world = worldOf(vmi('Failed', { metadata: deleted }), pod('Succeeded', { metadata: deleted }));
    world.pass();
    expect(world.pods).toEqual([]);
    world.pass();
    expect(world.hasVmi).toBe(false);
  });

  test('VMI-03: a running pod that is being deleted is left alone', () => {
    const world = worldOf(handedOver('Running', { metadata: deleted }), runningPod({ metadata: deleted }));
    world.pass();
    expect(world.pods).toHaveLength(1);
    expect(world.events).toEqual([]);
  });

  test('vmi case 65: DELETE fails: event, Synchronized, retried', () => {
    const world = worldOf(vmi('Scheduling', { metadata: deleted }), runningPod());
    world.refuse(`delete pod ${world.pod.metadata.uid}`, 500, 'no');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.events).toEqual(['Warning FailedDelete']);
    expect(world.conditions).toContain('Synchronized False FailedDelete');
    world.refuseNothing();
    world.pass();
    expect(world.pod.metadata.deletionTimestamp).toBeDefined();
  });

  test('vmi case 66: DELETE finds no pod: event SuccessfulDelete, no failure', () => {
    const world = worldOf(handedOver('Running', { metadata: deleted }), runningPod());
    world.refuse(`delete pod ${world.pod.metadata.uid}`, 404, 'not found');
    world.pass();
    expect(world.pass().type).toBe('done');
    expect(world.events).toEqual(['Normal SuccessfulDelete']);
  });

  test('a deletion that is known and not seen yet is not repeated, the status is kept', () => {
    const unlabelled = runningPod();
    delete unlabelled.metadata.labels?.['kubevirt.io/nodeName'];
    const world = worldOf(vmi('Scheduling', { metadata: deleted }), unlabelled);
    world.cluster.holdWatch('Pod', 'blind');
    world.pass();
    expect(world.pass()).toMatchObject({ type: 'stale', actions: [] });
    expect(world.status.activePods).toEqual({ [world.pod.metadata.uid ?? '']: 'node01' });
    expect(world.events).toEqual(['Normal SuccessfulDelete']);
    world.cluster.releaseWatch('Pod');
    world.settle();
    expect(world.status.phase).toBe('Failed');
    expect(world.events).toEqual(['Normal SuccessfulDelete']);
  });

  test('vmi case 72: WaitingForSync, deleted with a pod: pod deleted, finalizers removed at once', () => {
    const world = worldOf(vmi('WaitingForSync', { metadata: deleted }), runningPod());
    world.pass();
    expect(world.pod.metadata.deletionTimestamp).toBeDefined();
    expect(world.hasVmi).toBe(false);
  });
});

describe('final phases (vmi.md 8.3)', () => {
  test('vmi case 67: Succeeded, not deleted, owned pod: kept, finalizers kept', () => {
    const world = worldOf(vmi('Succeeded'), pod('Succeeded'));
    world.settle();
    expect(world.pods).toHaveLength(1);
    expect(world.vmi.metadata.finalizers).toEqual(['kubevirt.io/foregroundDeleteVirtualMachine']);
  });

  test.each(['Succeeded', 'Failed'])('vmi case 68: %s without pods lets go', (phase) => {
    const world = worldOf(
      vmi(phase, {
        metadata: {
          finalizers: ['foregroundDeleteVirtualMachine', 'kubevirt.io/foregroundDeleteVirtualMachine', 'keep'],
          labels: { 'kubevirt.io/outdatedLauncherImage': '', 'kubevirt.io/nodeName': 'node01' },
        },
        status: {
          nodeName: 'node01',
          launcherContainerImageVersion: 'old',
          activePods: { gone: 'node01' },
          qosClass: 'Burstable',
        },
      }),
    );
    world.pass();
    expect(world.vmi.metadata.finalizers).toEqual(['keep']);
    expect(world.vmi.metadata.labels).toEqual({ 'kubevirt.io/nodeName': 'node01' });
    expect(world.status).toMatchObject({ phase, nodeName: 'node01', qosClass: 'Burstable' });
    expect(world.status.launcherContainerImageVersion).toBeUndefined();
    expect(world.status.activePods ?? {}).toEqual({});
    expect(world.stamped).toEqual([]);
  });

  test('vmi case 69: nothing left to change: no call', () => {
    const conditions = [{ type: 'Ready', status: 'False', reason: 'PodNotExists' }];
    const world = worldOf(vmi('Failed', { metadata: { finalizers: [] }, status: { conditions } }));
    expect(world.pass()).toEqual({ type: 'done', actions: [] });
  });

  const owned = {
    finalizers: [VM_FINALIZER],
    ownerReferences: [
      { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'testvmi', uid: 'vm-uid', controller: true },
    ],
  };
  test.each([
    ['no owner reference: removed', { finalizers: [VM_FINALIZER] }, [], []],
    ['owner VM there: kept', owned, [virtualMachine('testvmi', 'vm-uid')], [VM_FINALIZER]],
    ['owner VM missing: removed', owned, [], []],
    ['other uid: removed', owned, [virtualMachine('testvmi', 'other')], []],
  ])('vmi case 70: VM finalizer, %s', (_, metadata, vms, left) => {
    const world = worldOf(vmi('Succeeded', { metadata }), pod('Succeeded'), ...vms);
    world.pass();
    expect(world.vmi.metadata.finalizers ?? []).toEqual(left);
  });

  test('vmi case 71: Running VMI, deprecated finalizer becomes the current one', () => {
    const world = worldOf(
      handedOver('Running', { metadata: { finalizers: ['foregroundDeleteVirtualMachine', 'other'] } }),
      runningPod(),
    );
    world.pass();
    expect(world.vmi.metadata.finalizers).toEqual(['other', 'kubevirt.io/foregroundDeleteVirtualMachine']);
  });
});
