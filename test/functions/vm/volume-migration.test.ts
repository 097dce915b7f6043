import { describe, expect, test } from 'vitest';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { createClaim, createDataVolume } from './storage.ts';
import { templateSpec, World } from './world.ts';

type Spec = VirtualMachineInstance['spec'];
type Volume = NonNullable<Spec['volumes']>[number];
type Disk = NonNullable<Spec['domain']['devices']['disks']>[number];
type Status = Partial<NonNullable<VirtualMachineInstance['status']>>;

const onClaim = (name: string, claimName: string): Volume => ({ name, persistentVolumeClaim: { claimName } });
const onDataVolume = (name: string, dataVolume: string): Volume => ({ name, dataVolume: { name: dataVolume } });
const shared = { accessModes: ['ReadWriteMany'], volumeMode: 'Block', resources: { requests: { storage: '1Gi' } } };
const info = (claimName: string) => ({
  claimName,
  volumeMode: 'Block',
  accessModes: ['ReadWriteMany'],
  requests: { storage: '1Gi' },
  capacity: { storage: '1Gi' },
});
const moved = (volumeName: string, from: string, to: string) => ({
  volumeName,
  sourcePVCInfo: info(from),
  destinationPVCInfo: info(to),
});

/** A running VM with strategy Migration and a disk on claim `src`; claim `dst` is there. */
function running(
  disk: Partial<Disk> = { disk: { bus: 'virtio' as never } },
  status: Status = {},
  volume = onClaim('data', 'src'),
): World {
  const template = templateSpec();
  const { devices } = template.domain;
  const disks = [...(devices.disks ?? []), { name: 'data', ...disk }];
  const world = World.withVm(
    { runStrategy: 'Always', updateVolumesStrategy: 'Migration' },
    {
      domain: { ...template.domain, devices: { ...devices, disks } },
      volumes: [...(template.volumes ?? []), volume],
    },
  );
  for (const name of ['src', 'dst']) createClaim(world, name, shared);
  return world.started('Running', status);
}

function setVolume(world: World, volume: Volume): void {
  world.changeVm((vm) => {
    vm.spec.template.spec?.volumes?.splice(1, 1, volume);
  });
}

function conditions(world: World, ...list: { type: string; status: string; reason?: string }[]): void {
  world.changeInstance((vmi) => {
    vmi.status = { ...vmi.status, conditions: list };
  });
}

const change = (world: World) => world.instance.status?.conditions?.find((c) => c.type === 'VolumesChange');
const needsRestart = (world: World) => world.condition('RestartRequired')?.status === 'True';
const claimOf = (world: World) => world.instance.spec.volumes?.[1]?.persistentVolumeClaim?.claimName;

/** A migration under way: the VMI has been told, and is on its way. */
function migrating(): World {
  const world = running();
  setVolume(world, onClaim('data', 'dst'));
  world.settle();
  conditions(world, { type: 'VolumesChange', status: 'True' });
  world.settle();
  expect(world.condition('VolumesChange')).toMatchObject({ status: 'True' });
  return world;
}

describe('migration of volumes (vm.md 7.5)', () => {
  test('vm case 97: first the VMI is told, and when it shows that its volumes are switched', () => {
    const world = running();
    setVolume(world, onClaim('data', 'dst'));
    world.pass();
    expect(world.instance.status?.migratedVolumes).toEqual([moved('data', 'src', 'dst')]);
    expect(claimOf(world)).toBe('src');
    expect(world.status.volumeUpdateState).toEqual({
      volumeMigrationState: { migratedVolumes: [moved('data', 'src', 'dst')] },
    });
    world.pass();
    expect(claimOf(world)).toBe('dst');
    world.settle();
    expect(needsRestart(world)).toBe(false);
    expect(world.status.volumeUpdateState?.volumeMigrationState?.migratedVolumes).toHaveLength(1);
  });

  test('vm case 97: onto a data volume', () => {
    const world = running();
    createDataVolume(world, 'dst', { phase: 'Succeeded' });
    setVolume(world, onDataVolume('data', 'dst'));
    world.settle();
    expect(world.instance.spec.volumes?.[1]).toEqual(onDataVolume('data', 'dst'));
  });

  test.each([
    ['a claim', onClaim('data', 'none')],
    ['a data volume', onDataVolume('data', 'none')],
    ['the claim of a data volume that is not filled', onDataVolume('data', 'empty')],
  ])('vm case 95: %s is missing: condition False that names it, no restart, no error', (_name, volume) => {
    const world = running();
    createDataVolume(world, 'empty', { phase: 'Pending' });
    setVolume(world, volume);
    expect(world.settle().type).toBe('done');
    expect(change(world)).toMatchObject({ status: 'False', message: expect.stringMatching(/none|empty/) });
    expect(change(world)?.reason).toBeUndefined();
    expect(needsRestart(world)).toBe(false);
    expect(world.instance.status?.migratedVolumes).toBeUndefined();
  });

  test('vm case 95: when it comes, the condition goes and the migration begins', () => {
    const world = running();
    setVolume(world, onClaim('data', 'late'));
    world.settle();
    createClaim(world, 'late', shared);
    world.settle();
    expect(change(world)).toBeUndefined();
    expect(claimOf(world)).toBe('late');
  });

  test.each<[string, Partial<Disk>]>([
    ['shareable', { disk: { bus: 'virtio' as never }, shareable: true }],
    ['LUN', { lun: { bus: 'scsi' as never } }],
  ])('vm case 96: a volume that is %s: RestartRequired', (word, disk) => {
    const world = running(disk);
    setVolume(world, onClaim('data', 'dst'));
    world.settle();
    expect(world.condition('RestartRequired')?.message).toMatch(new RegExp(`data.*${word}`));
    expect(world.instance.status?.migratedVolumes).toBeUndefined();
    world.cluster.nowMs += 60_000;
    expect(world.pass().actions).toEqual([]);
  });

  test('vm case 96: a filesystem', () => {
    const template = templateSpec();
    const filesystems = [{ name: 'data', virtiofs: {} }];
    const domain = { ...template.domain, devices: { ...template.domain.devices, filesystems } };
    const volumes = [...(template.volumes ?? []), onClaim('data', 'src')];
    const world = World.withVm({ runStrategy: 'Always', updateVolumesStrategy: 'Migration' }, { domain, volumes });
    for (const name of ['src', 'dst']) createClaim(world, name, shared);
    world.started();
    setVolume(world, onClaim('data', 'dst'));
    world.settle();
    expect(needsRestart(world)).toBe(true);
  });

  test('a data volume that is not filled, without populator: RestartRequired; with one: it migrates', () => {
    const without = running();
    createDataVolume(without, 'dst', { phase: 'Pending' });
    setVolume(without, onDataVolume('data', 'dst'));
    without.settle();
    expect(needsRestart(without)).toBe(true);
    const populated = running();
    createDataVolume(populated, 'new', { phase: 'Pending' });
    createClaim(populated, 'new', { ...shared, dataSourceRef: { kind: 'VolumeImportSource' } });
    setVolume(populated, onDataVolume('data', 'new'));
    populated.settle();
    expect(populated.instance.spec.volumes?.[1]).toEqual(onDataVolume('data', 'new'));
  });

  test.each<[string, Status]>([
    ['storage can not move', { conditions: [{ type: 'StorageLiveMigratable', status: 'False' }] }],
    [
      'another volume is not shared',
      {
        volumeStatus: [
          { name: 'boot', target: '', persistentVolumeClaimInfo: { accessModes: ['ReadWriteOnce'] } },
        ] as never,
      },
    ],
    [
      'one with no access modes at all',
      { volumeStatus: [{ name: 'boot', target: '', persistentVolumeClaimInfo: {} }] },
    ],
  ])('%s: RestartRequired', (_name, status) => {
    const world = running(undefined, status);
    setVolume(world, onClaim('data', 'dst'));
    world.settle();
    expect(needsRestart(world)).toBe(true);
    expect(world.instance.status?.migratedVolumes).toBeUndefined();
  });

  test('state of the VM and volumes that move are not asked to be shared', () => {
    const persistentVolumeClaimInfo = { accessModes: ['ReadWriteOnce'] } as never;
    const names = ['data', 'persistent-state-for-testvm'];
    const volumeStatus = names.map((name) => ({ name, target: '', persistentVolumeClaimInfo }));
    const world = running(undefined, { volumeStatus });
    setVolume(world, onClaim('data', 'dst'));
    world.settle();
    expect(claimOf(world)).toBe('dst');
  });

  test('vm case 98: set back to the source: volumes restored, condition and list told so', () => {
    const world = migrating();
    setVolume(world, onClaim('data', 'src'));
    world.settle();
    expect(claimOf(world)).toBe('src');
    expect(change(world)).toMatchObject({ status: 'False', reason: 'VolumesChangeCancellation' });
    expect(world.instance.status?.migratedVolumes ?? []).toEqual([]);
    expect(world.status.volumeUpdateState?.volumeMigrationState).toBeUndefined();
    expect(world.condition('Failure')).toBeUndefined();
  });

  test('vm case 98: to another claim: VolumesUpdateError', () => {
    const world = migrating();
    createClaim(world, 'third', shared);
    setVolume(world, onClaim('data', 'third'));
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'VolumesUpdateError' });
    expect(claimOf(world)).toBe('dst');
  });

  test('without strategy the claims stay, and a restart is asked for', () => {
    const world = running();
    world.changeVm((vm) => {
      delete vm.spec.updateVolumesStrategy;
    });
    setVolume(world, onClaim('data', 'dst'));
    world.settle();
    expect(claimOf(world)).toBe('src');
    expect(needsRestart(world)).toBe(true);
  });

  test('a strategy that is none: VolumesUpdateError', () => {
    const world = running();
    world.changeVm((vm) => {
      vm.spec.updateVolumesStrategy = 'Other';
    });
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'VolumesUpdateError' });
  });
});

describe('state of a migration of volumes (vm.md 12.7)', () => {
  test('vm case 99: the VMI goes while its volumes move: manual recovery; set back, all of it goes', () => {
    const world = migrating();
    world.deleteInstance();
    world.reapInstance();
    world.changeInstance((vmi) => {
      vmi.metadata.finalizers = [];
    });
    world.settle();
    expect(world.maybeInstance).toBeUndefined();
    expect(world.condition('ManualRecoveryRequired')).toMatchObject({
      status: 'True',
      reason: 'VMI was removed or was final during the volume migration',
    });
    setVolume(world, onClaim('data', 'src'));
    world.settle();
    expect(world.condition('ManualRecoveryRequired')).toBeUndefined();
    expect(world.condition('VolumesChange')).toBeUndefined();
    expect(world.status.volumeUpdateState?.volumeMigrationState).toBeUndefined();
    expect(world.maybeInstance).toBeDefined();
  });

  test('the strategy is given up: so is the state', () => {
    const world = migrating();
    world.changeVm((vm) => {
      vm.spec.updateVolumesStrategy = 'Replacement';
    });
    world.settle();
    expect(world.status.volumeUpdateState).toEqual({});
  });
});

describe('volumes of a receiver (vm.md 7.6)', () => {
  function receiver(): World {
    const volumes = [...(templateSpec().volumes ?? []), onClaim('data', 'dst'), onClaim('late', 'none')];
    const world = World.withVm({ runStrategy: 'WaitAsReceiver' }, { volumes });
    createClaim(world, 'dst', shared);
    return world;
  }

  test('the VMI is told where its volumes are, as far as their claims are there', () => {
    const world = receiver().started('WaitingForSync');
    expect(world.instance.status?.migratedVolumes).toEqual([{ volumeName: 'data', destinationPVCInfo: info('dst') }]);
  });

  test('once, and not after its migration', () => {
    const world = receiver();
    world.pass();
    world.phase('Running', { migrationState: { completed: true } as never });
    world.settle();
    expect(world.instance.status?.migratedVolumes).toBeUndefined();
  });
});
