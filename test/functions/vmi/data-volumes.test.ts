import { describe, expect, test } from 'vitest';
import { vmi as controller } from '../../../functions/vmi/reads.ts';
import { dataVolumeProjection } from '../../../functions/vmi/volumes/data-volume-projection.ts';
import { claim, dataVolume, filledClaim, handedOver, migration, pod, runningPod, vmi } from './fixtures.ts';
import type { World } from './world.ts';
import { worldOf } from './worlds.ts';

const spec = { domain: { devices: {} }, volumes: [{ name: 'boot', dataVolume: { name: 'dv' } }] };
const TEMPORARY = { 'kubevirt.io/ephemeral-provisioning': 'true' };

/** A Pending VMI whose one volume is the DataVolume `dv`. */
function pendingOn(phase: string | undefined, ready?: string): World {
  return worldOf(vmi('Pending', { spec }), filledClaim('dv'), dataVolume('dv', phase, ready));
}

function putDataVolume(world: World, phase: string, ready?: string): void {
  world.put(dataVolume('dv', phase, ready));
}

const temporaryPod = (phase: string, extra: Parameters<typeof pod>[1] = {}) =>
  pod(phase, { ...extra, metadata: { annotations: TEMPORARY, ...extra.metadata } });

const readyOf = (world: World) => world.conditions.filter((c) => c.startsWith('DataVolumesReady'));

describe('DataVolumes before the hand-over (vmi.md 5, 6.4)', () => {
  test.each([
    ['True', 'DataVolumesReady True AllDVsReady'],
    [undefined, 'DataVolumesReady Unknown NotAllDVsReady'],
  ])('vmi case 39: DataVolume Succeeded, its Ready %s: launcher pod', (ready, told) => {
    const world = pendingOn('Succeeded', ready);
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.pod.metadata.annotations).not.toHaveProperty(['kubevirt.io/ephemeral-provisioning']);
    expect(readyOf(world)).toEqual([told]);
  });

  test('vmi case 40: PendingPopulation: launcher pod, not a temporary one', () => {
    const world = pendingOn('PendingPopulation');
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.pod.metadata.annotations).not.toHaveProperty(['kubevirt.io/ephemeral-provisioning']);
  });

  test.each([
    ['False', 'DataVolumesReady False NotAllDVsReady'],
    [undefined, 'DataVolumesReady Unknown NotAllDVsReady'],
  ])('vmi case 41: WaitForFirstConsumer, Ready %s: temporary pod', (ready, told) => {
    const world = pendingOn('WaitForFirstConsumer', ready);
    expect(world.pass().type).toBe('done');
    world.settle();
    expect(world.pod.metadata.annotations).toMatchObject(TEMPORARY);
    expect(world.pod.spec.containers[0]).toMatchObject({
      name: 'compute',
      command: ['/bin/bash'],
      args: ['-c', 'echo', 'bound PVCs'],
    });
    expect(world.pod.status?.conditions ?? []).toEqual([]);
    expect(world.events).toContain('Normal SuccessfulCreate');
    expect(world.status.phase).toBe('Pending');
    expect(world.conditions).toEqual([told, 'Provisioning True', 'Ready False PodNotExists']);
    expect(world.status).not.toHaveProperty('launcherContainerImageVersion');
    expect(world.status).not.toHaveProperty('memory');
    expect(world.status).not.toHaveProperty('qosClass');
  });

  test('vmi case 41: Provisioning stays after the DataVolume has left the phase, until the VMI is Scheduling', () => {
    const world = pendingOn('WaitForFirstConsumer');
    world.settle();
    putDataVolume(world, 'ImportInProgress');
    world.settle();
    expect(world.conditions).toContain('Provisioning True');
    world.removePod(world.pod);
    putDataVolume(world, 'Succeeded');
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    world.settle();
    expect(world.conditions).not.toContain('Provisioning True');
  });

  test('vmi case 42: temporary pod Running, DataVolume still waits: nothing deleted', () => {
    const world = worldOf(
      vmi('Pending', { spec }),
      filledClaim('dv'),
      dataVolume('dv', 'WaitForFirstConsumer'),
      temporaryPod('Running'),
    );
    world.settle();
    expect(world.pods).toHaveLength(1);
    expect(world.status.phase).toBe('Pending');
    expect(world.events).toEqual([]);
  });

  test('vmi case 43: temporary pod Running, DataVolume Succeeded: deleted without grace, then the launcher pod', () => {
    const world = worldOf(
      vmi('Pending', { spec }),
      filledClaim('dv'),
      dataVolume('dv', 'Succeeded'),
      temporaryPod('Running', { spec: { nodeName: 'node01' } }),
    );
    const { actions } = world.pass();
    expect(actions).toContainEqual(expect.objectContaining({ verb: 'delete', gracePeriodSeconds: 0 }));
    expect(world.events).toEqual(['Normal SuccessfulDelete']);
    expect(world.pods).toEqual([]);
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.pod.metadata.annotations).not.toHaveProperty(['kubevirt.io/ephemeral-provisioning']);
  });

  test('vmi case 44: temporary pod Pending, DataVolume Succeeded: event, no deletion', () => {
    const world = worldOf(
      vmi('Pending', { spec }),
      filledClaim('dv'),
      dataVolume('dv', 'Succeeded'),
      temporaryPod('Pending'),
    );
    world.pass();
    expect(world.events).toEqual(['Normal SuccessfulDelete']);
    expect(world.pods).toHaveLength(1);
    expect(world.status.phase).toBe('Pending');
  });

  test.each([
    ['Failed', undefined, 'Failed', []],
    ['Succeeded', undefined, 'Pending', []],
    [
      'Pending',
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' },
      'Pending',
      ['PodScheduled False Unschedulable'],
    ],
  ])('vmi case 45: temporary pod %s, DataVolume waits', (phase, condition, vmiPhase, told) => {
    const world = worldOf(
      vmi('Pending', { spec }),
      filledClaim('dv'),
      dataVolume('dv', 'WaitForFirstConsumer'),
      temporaryPod(phase, { conditions: condition === undefined ? [] : [condition] }),
    );
    world.pass();
    expect(world.status.phase).toBe(vmiPhase);
    expect(world.conditions.filter((c) => c.startsWith('PodScheduled'))).toEqual(told);
  });

  test.each(['Pending', 'ImportInProgress', undefined])(
    'vmi case 46: DataVolume in phase %s: no pod, no error',
    (phase) => {
      for (const ready of ['False', undefined]) {
        const world = pendingOn(phase, ready);
        expect(world.pass().type).toBe('done');
        expect(world.pods).toEqual([]);
        expect(world.status.phase).toBe('Pending');
        expect(world.conditions).toEqual([
          `DataVolumesReady ${ready ?? 'Unknown'} NotAllDVsReady`,
          'Ready False PodNotExists',
        ]);
      }
    },
  );

  test('vmi case 47: DataVolume Failed, no pod: the VMI is Failed', () => {
    const world = pendingOn('Failed');
    world.pass();
    expect(world.status.phase).toBe('Failed');
    expect(world.pods).toEqual([]);
  });

  test('vmi case 50: the DataVolume that owns the claim is not there: Warning, backs off', () => {
    const world = worldOf(vmi('Pending', { spec }), filledClaim('dv'));
    expect(world.pass().type).toBe('retry');
    expect(world.events).toEqual(['Warning FailedPvcNotFound']);
    expect(world.conditions).toContain('Synchronized False FailedDataVolumeImport');
    expect(world.status.phase).toBe('Pending');
    putDataVolume(world, 'Succeeded');
    world.settle();
    expect(world.status.phase).toBe('Scheduling');
  });

  test.each([
    ['PersistentVolumeClaim', filledClaim('dv')],
    ['DataVolume', dataVolume('dv', 'Succeeded')],
  ])('a %s that only the API knows is not told to be missing', (kind, object) => {
    const others = [filledClaim('dv'), dataVolume('dv', 'Succeeded')].filter((o) => o.kind !== kind);
    const world = worldOf(vmi('Pending', { spec }), ...others);
    world.cluster.holdWatch(kind);
    world.put(object);
    world.pass();
    expect(world.events).toEqual([]);
    expect(world.conditions).toEqual([]);
    world.cluster.releaseWatch(kind);
    world.settle();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.events).toEqual(['Normal SuccessfulCreate']);
  });

  const three = (states: readonly (string | undefined)[]) => {
    const names = states.map((_, i) => `dv${i}`);
    return worldOf(
      vmi('Pending', {
        spec: { domain: { devices: {} }, volumes: names.map((name) => ({ name, dataVolume: { name } })) },
      }),
      ...names.map((name) => filledClaim(name)),
      ...states.map((ready, i) => dataVolume(`dv${i}`, 'Succeeded', ready)),
    );
  };
  test.each([
    [['True', 'False', 'Unknown'], 'False'],
    [['Unknown', 'False', 'True'], 'False'],
    [['False', 'True', 'Unknown'], 'False'],
    [['True', 'True', 'Unknown'], 'Unknown'],
    [['True', undefined, 'True'], 'Unknown'],
    [['True', 'True', 'True'], 'True'],
  ])('vmi case 52: DataVolumes %o together are %s', (states, told) => {
    const world = three(states);
    world.pass();
    expect(readyOf(world).map((c) => c.split(' ')[1])).toEqual([told]);
  });

  test('a claim volume belongs to the DataVolume that owns the claim', () => {
    const volumes = [{ name: 'boot', persistentVolumeClaim: { claimName: 'dv' } }];
    const world = worldOf(
      vmi('Pending', { spec: { domain: { devices: {} }, volumes } }),
      filledClaim('dv'),
      dataVolume('dv', 'ImportInProgress', 'False'),
    );
    world.pass();
    expect(world.pods).toEqual([]);
    expect(readyOf(world)).toEqual(['DataVolumesReady False NotAllDVsReady']);
  });

  test('vmi case 127: from waiting to the launcher pod', () => {
    const world = pendingOn('WaitForFirstConsumer');
    world.settle();
    world.changePod(world.pod, (p) => (p.spec.nodeName = 'node01'));
    putDataVolume(world, 'ImportInProgress');
    world.settle();
    expect([...new Set(world.events)]).toEqual(['Normal SuccessfulCreate', 'Normal SuccessfulDelete']);
    expect(world.pods).toHaveLength(1);
    world.changePod(world.pod, (p) => (p.status = { ...p.status, phase: 'Succeeded' }));
    world.settle();
    expect(world.pods).toEqual([]);
    expect(world.status.activePods ?? {}).toEqual({});
    expect(world.conditions).toContain('Provisioning True');
    putDataVolume(world, 'Succeeded');
    world.settle();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.conditions).not.toContain('Provisioning True');
  });

  test('a temporary pod that can only be deleted later: event, and Synchronized says so', () => {
    const world = worldOf(
      vmi('Pending', { spec }),
      filledClaim('dv'),
      dataVolume('dv', 'Succeeded'),
      temporaryPod('Running', { metadata: { uid: 'temporary', annotations: TEMPORARY } }),
    );
    world.refuse('delete pod temporary', 500, 'no');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.events).toEqual(['Warning FailedDelete']);
    expect(world.conditions).toContain('Synchronized False FailedHotplugSync');
  });
});

describe('an active migration (vmi.md 6.4, step 4)', () => {
  test('vmi case 34: no pod while it runs, a pod when it is over', () => {
    const world = worldOf(vmi('Pending'), migration('move', 'Running'));
    expect(world.pass().type).toBe('retry');
    expect(world.conditions).toContain('Synchronized False FailedCreate');
    expect(world.pods).toEqual([]);
    expect(world.events).toEqual([]);
    world.put(migration('move', 'Succeeded'));
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
  });

  test.each([
    ['', {}, true],
    ['Pending', {}, true],
    ['WaitingForSync', {}, true],
    ['Synchronizing', {}, true],
    ['Failed', {}, true],
    ['Scheduling', {}, false],
    ['Scheduling', { sendTo: { migrationID: 'm', connectURL: 'u' } }, true],
    ['Scheduling', { sendTo: { migrationID: 'm', connectURL: 'u' }, receive: { migrationID: 'm' } }, false],
    ['PreparingTarget', {}, false],
    ['Running', { vmiName: 'another' }, true],
  ])('vmi case 34: migration in phase "%s" with %o', (phase, extra, creates) => {
    const world = worldOf(vmi('Pending'), migration('move', phase, extra));
    world.pass();
    expect(world.pods).toHaveLength(creates ? 1 : 0);
  });

  test('of a VMI that has its pod none is read', () => {
    const lookup = (phase: string) =>
      controller.reads.migrations.lookup(vmi(phase), { one: () => undefined, many: () => [] }, 'default/testvmi');
    expect(lookup('Pending')).toBe('default/testvmi');
    expect(lookup('Running')).toBeUndefined();
  });
});

describe('what is read of DataVolumes', () => {
  test('those that the volumes name, and those that own their claims', () => {
    const volumes = [
      { name: 'a', dataVolume: { name: 'one' } },
      { name: 'b', persistentVolumeClaim: { claimName: 'two' } },
    ];
    const instance = vmi('Pending', { spec: { domain: { devices: {} }, volumes } });
    const claims = [filledClaim('two'), claim('three')];
    const { lookup } = controller.reads.dataVolumes;
    const found = { one: () => undefined, many: <T>() => claims as unknown as T[] };
    expect(lookup(instance, found, 'default/testvmi')).toEqual(['default/one', 'default/two']);
  });

  test('progress of an import enqueues nothing', () => {
    const at = (progress: string) =>
      dataVolumeProjection({
        ...dataVolume('dv', 'ImportInProgress'),
        status: { phase: 'ImportInProgress', progress } as never,
      });
    expect(at('10%')).toEqual(at('20%'));
  });

  test('a Running VMI whose regular claim vanished: event, and the rest of the sync step waits', () => {
    const world = worldOf(handedOver('Running', { spec }), runningPod());
    expect(world.pass().type).toBe('done');
    expect(world.events).toEqual(['Normal FailedPvcNotFound']);
    expect(world.status.phase).toBe('Running');
  });
});
