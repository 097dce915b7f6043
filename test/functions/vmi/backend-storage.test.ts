import { describe, expect, test } from 'vitest';
import type { PersistentVolumeClaim } from '../../../functions/core/objects.ts';
import { claim, configuration, handedOver, runningPod, vmi } from './fixtures.ts';
import type { Stored, World } from './world.ts';
import { worldOf } from './worlds.ts';

const EFI = { domain: { devices: {}, firmware: { bootloader: { efi: { persistent: true } } } } };
const LABEL = { 'persistent-state-for': 'testvmi' };

const storageClass = (name: string, extra: object = {}, annotations: Record<string, string> = {}): Stored =>
  ({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name, annotations }, ...extra }) as Stored;
const DEFAULT = storageClass('fast', {}, { 'storageclass.kubernetes.io/is-default-class': 'true' });

function pending(...objects: Stored[]): World {
  return worldOf(vmi('Pending', { spec: EFI }), ...objects);
}
function stateClaim(phase: string, extra: Partial<PersistentVolumeClaim> = {}): Stored {
  return claim('state', {
    ...extra,
    metadata: { name: 'state', namespace: 'default', labels: LABEL, ...extra.metadata },
    status: { phase },
  });
}
const claims = (world: World) => world.cluster.cached('PersistentVolumeClaim') as PersistentVolumeClaim[];

describe('backend storage (vmi.md 9.1 to 9.4)', () => {
  test('vmi case 54: no claim: one is made in the configured class, no pod in this pass, no error', () => {
    const profile = { claimPropertySets: [{ accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem' }] };
    const world = pending({
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'StorageProfile',
      metadata: { name: 'configured' },
      status: profile,
    });
    world.configuration = {
      ...configuration,
      kubevirt: { ...configuration.kubevirt, vmStateStorageClass: 'configured' },
    };
    expect(world.pass().type).toBe('done');
    expect(claims(world)).toMatchObject([
      {
        metadata: {
          generateName: 'persistent-state-for-testvmi-',
          name: expect.stringMatching(/^persistent-state-for-testvmi-[a-z0-9]{5}$/) as unknown,
          labels: { ...LABEL, 'cdi.kubevirt.io/applyStorageProfile': 'true' },
          ownerReferences: [{ kind: 'VirtualMachineInstance', name: 'testvmi', uid: '1234', controller: true }],
        },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '10Mi' } },
          storageClassName: 'configured',
          volumeMode: 'Filesystem',
        },
      },
    ]);
    expect(world.pods).toEqual([]);
    expect(world.status.phase).toBe('Pending');
    expect(world.conditions).toEqual(['Ready False PodNotExists']);
    expect(world.events).toEqual([]);
  });

  test("vmi case 54: the claim belongs to the VMI's owners, if it has any", () => {
    const owner = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      name: 'testvmi',
      uid: 'vm',
      controller: true,
    };
    const world = worldOf(vmi('Pending', { spec: EFI, metadata: { ownerReferences: [owner] } }), DEFAULT);
    world.pass();
    expect(claims(world)[0]?.metadata.ownerReferences).toEqual([owner]);
  });

  test('a claim that was made and is not seen yet is not made again', () => {
    const world = pending(DEFAULT);
    world.cluster.holdWatch('PersistentVolumeClaim', 'blind');
    world.pass();
    for (let i = 0; i < 3; i++) expect(world.pass()).toMatchObject({ type: 'stale', actions: [] });
    world.cluster.releaseWatch('PersistentVolumeClaim');
    expect(claims(world)).toHaveLength(1);
  });

  test('a claim with the state that only the API knows is not doubled', () => {
    const world = pending(DEFAULT);
    world.cluster.holdWatch('PersistentVolumeClaim');
    world.put(stateClaim('Bound'));
    world.pass();
    world.cluster.releaseWatch('PersistentVolumeClaim');
    world.settle();
    expect(claims(world).map((c) => c.metadata.name)).toEqual(['state']);
    expect(world.status.phase).toBe('Scheduling');
  });

  test.each(['Immediate', undefined])('vmi case 55: claim Pending, class with binding mode %s: not ready', (mode) => {
    const world = pending(
      stateClaim('Pending', { spec: { storageClassName: 'slow' } }),
      storageClass('slow', mode === undefined ? {} : { volumeBindingMode: mode }),
    );
    expect(world.pass().type).toBe('retry');
    expect(world.conditions).toContain('Synchronized False BackendStorageNotReady');
    expect(world.pods).toEqual([]);
    world.put(stateClaim('Bound'));
    world.settle();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.conditions).toEqual(['Ready False GuestNotRunning']);
  });

  test('vmi case 56: claim Pending, class waits for the first consumer: pod', () => {
    const world = pending(
      stateClaim('Pending', { spec: { storageClassName: 'late' } }),
      storageClass('late', { volumeBindingMode: 'WaitForFirstConsumer' }),
    );
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.pod.spec.volumes).toContainEqual({ name: 'vm-state', persistentVolumeClaim: { claimName: 'state' } });
  });

  test.each([
    ['Lost', {}],
    ['Pending', { spec: { storageClassName: 'gone' } }],
    ['Pending', { spec: { storageClassName: '' } }],
  ])('vmi case 57: claim %s with %o: probe failed', (phase, extra) => {
    const world = pending(stateClaim(phase, extra));
    expect(world.pass().type).toBe('retry');
    expect(world.conditions).toContain('Synchronized False FailedBackendStorageProbe');
    expect(world.pods).toEqual([]);
  });

  test('vmi case 58: no default class: nothing is made', () => {
    const world = pending(storageClass('plain'));
    expect(world.pass().type).toBe('retry');
    expect(world.conditions).toContain('Synchronized False FailedBackendStorageCreate');
    expect(claims(world)).toEqual([]);
  });

  test('the claim is refused: said, and tried again', () => {
    const world = pending(DEFAULT);
    world.refuse('create backend storage claim', 403, 'exceeded quota: q');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.conditions).toContain('Synchronized False FailedBackendStorageCreate');
    world.refuseNothing();
    world.pass();
    expect(claims(world)).toHaveLength(1);
  });

  test('vmi case 59: changed block tracking begins: a claim of 522Mi', () => {
    const world = worldOf(vmi('Pending', { status: { changedBlockTracking: { state: 'Initializing' } } }), DEFAULT);
    world.pass();
    expect(claims(world)[0]?.spec.resources).toEqual({ requests: { storage: '522Mi' } });
  });

  test('vmi case 60: needed no longer: the claim goes and the pod comes in one pass', () => {
    const world = worldOf(
      vmi('Pending', { status: { changedBlockTracking: { state: 'Disabled' } } }),
      stateClaim('Bound'),
    );
    world.pass();
    expect(claims(world)).toEqual([]);
    expect(world.status.phase).toBe('Scheduling');
  });

  test('vmi case 60: the claim can not be deleted: said, no pod', () => {
    const world = worldOf(vmi('Pending'), stateClaim('Bound'));
    world.refuse('delete backend storage claim', 403, 'no');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.conditions).toContain('Synchronized False Failed deleting backend storage');
    expect(world.pods).toEqual([]);
  });

  test('vmi case 61: a claim that is being deleted is none', () => {
    const world = pending(
      DEFAULT,
      stateClaim('Bound', {
        metadata: { name: 'state', deletionTimestamp: '2026-01-01T00:00:00Z', labels: LABEL, finalizers: ['f'] },
      }),
    );
    world.pass();
    expect(claims(world)).toHaveLength(2);
  });

  test('vmi case 62: an entry named like the old claim is renamed, and is the only one', () => {
    const legacy = claim('persistent-state-for-testvmi', {
      spec: { accessModes: ['ReadWriteOnce'] },
      status: { phase: 'Bound' },
    });
    const old = {
      name: 'persistent-state-for-testvmi',
      target: '',
      persistentVolumeClaimInfo: { claimName: 'persistent-state-for-testvmi', filesystemOverhead: '0.055' },
    };
    const world = worldOf(handedOver('Running', { spec: EFI, status: { volumeStatus: [old] } }), runningPod(), legacy);
    world.settle();
    expect(world.status.volumeStatus).toEqual([
      {
        name: 'persistent-state-for-this-vm',
        target: '',
        persistentVolumeClaimInfo: {
          claimName: 'persistent-state-for-testvmi',
          filesystemOverhead: '0.055',
          accessModes: ['ReadWriteOnce'],
        },
      },
    ]);
  });

  test('the entry is there from the start, and goes with its claim', () => {
    const world = pending(stateClaim('Bound'));
    world.settle();
    expect(world.volume('persistent-state-for-this-vm')?.persistentVolumeClaimInfo?.claimName).toBe('state');
    const after = worldOf(
      handedOver('Running', { status: { volumeStatus: [{ name: 'persistent-state-for-this-vm', target: '' }] } }),
      runningPod(),
    );
    after.settle();
    expect(after.status.volumeStatus).toEqual([]);
  });
});
