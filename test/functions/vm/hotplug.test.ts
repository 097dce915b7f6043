import { describe, expect, test } from 'vitest';
import type { VirtualMachine, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { enableGate } from './configuration.ts';
import { templateSpec, World } from './world.ts';

type Spec = VirtualMachineInstance['spec'];
type Volume = NonNullable<Spec['volumes']>[number];
type Disk = NonNullable<Spec['domain']['devices']['disks']>[number];
type Requests = NonNullable<NonNullable<VirtualMachine['status']>['volumeRequests']>;

const scsi = (name: string): Disk => ({ name, disk: { bus: 'scsi' as never } });
const cdrom = (name: string): Disk => ({ name, cdrom: { bus: 'sata' as never } });
const pluggable = (name: string, claimName = name): Volume => ({
  name,
  persistentVolumeClaim: { claimName, hotpluggable: true },
});
const plain = (name: string): Volume => ({ name, persistentVolumeClaim: { claimName: name } });

function withVolumes(volumes: Volume[], disks: Disk[]): Partial<Spec> {
  const template = templateSpec();
  const { devices } = template.domain;
  return {
    domain: { ...template.domain, devices: { ...devices, disks: [...(devices.disks ?? []), ...disks] } },
    volumes: [...(template.volumes ?? []), ...volumes],
  };
}

function editVolumes(world: World, volumes: Volume[], disks: Disk[]): void {
  world.changeVm((vm) => {
    Object.assign(vm.spec.template.spec ?? {}, withVolumes(volumes, disks));
  });
}

const volumesOf = ({ volumes }: Pick<Spec, 'volumes'>) => volumes?.map((v) => v.name);
const disksOf = ({ domain }: Pick<Spec, 'domain'>) => domain.devices.disks?.map((d) => d.name);
const template = (world: World) => world.vm.spec.template.spec as Spec;

describe('volume requests (vm.md 6.3)', () => {
  const add = {
    addVolumeOptions: {
      name: 'vol1',
      disk: { disk: { bus: 'scsi' } } as never,
      volumeSource: { persistentVolumeClaim: { claimName: 'c1' } },
    },
  };
  const remove = { removeVolumeOptions: { name: 'vol1' } };

  function request(world: World, ...volumeRequests: Requests): void {
    world.changeVm((vm) => {
      vm.status = { ...vm.status, volumeRequests };
    });
  }

  test('vm case 84: running: the call, the template, and the request is done', () => {
    const world = World.withVm().started();
    request(world, add);
    expect(world.pass().actions.map((a) => a.id)).toEqual(['addvolume vol1', 'edit']);
    world.settle();
    const volume = { name: 'vol1', persistentVolumeClaim: { claimName: 'c1', hotpluggable: true } };
    expect(world.instance.spec.volumes).toContainEqual(volume);
    expect(template(world).volumes).toContainEqual(volume);
    expect(template(world).domain.devices.disks).toContainEqual(scsi('vol1'));
    expect(world.status.volumeRequests).toBeUndefined();
    expect(world.condition('RestartRequired')).toBeUndefined();
  });

  test('a data volume is plugged in the same way, and a volume without disk', () => {
    const world = World.withVm({ runStrategy: 'Halted' });
    request(world, { addVolumeOptions: { name: 'vol1', volumeSource: { dataVolume: { name: 'd1' } } } as never });
    world.settle();
    expect(template(world).volumes).toContainEqual({ name: 'vol1', dataVolume: { name: 'd1', hotpluggable: true } });
    expect(disksOf(template(world))).toEqual(['boot']);
  });

  test.each([
    ['vm case 85', 500],
    ['vm case 130', 404],
  ])('%s: the call fails with %i: the template stays, the request too; retries write nothing', (_name, code) => {
    const world = World.withVm().started();
    world.refuse('addvolume vol1', code, 'NotFound', 'no such API');
    request(world, add);
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'HotPlugVolumeError' });
    expect(world.status.volumeRequests).toHaveLength(1);
    const before = world.vm;
    const { length } = world.eventReasons;
    for (let i = 0; i < 4; i++) world.pass();
    expect(world.vm).toEqual(before);
    expect(volumesOf(template(world))).toEqual(['boot']);
    expect(world.eventReasons).toHaveLength(length);
    world.cluster.refuse.clear();
  });

  test('vm case 86: the VM is refused: the request stays; the VMI is not asked a second time', () => {
    const world = World.withVm().started();
    world.refuse('edit', 409, 'Conflict', 'changed');
    request(world, add);
    world.pass();
    expect(world.pass().actions.map((a) => a.id)).toEqual(['status']);
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedUpdateError' });
    expect(world.status.volumeRequests).toHaveLength(1);
    world.cluster.refuse.clear();
    expect(world.pass().actions.map((a) => a.id)).toEqual(['edit']);
  });

  test('vm case 87: stopped: the template alone', () => {
    const world = World.withVm({ runStrategy: 'Halted' });
    request(world, add);
    expect(world.pass().actions.map((a) => a.id)).toEqual(['edit']);
    world.settle();
    expect(volumesOf(template(world))).toEqual(['boot', 'vol1']);
    expect(world.status.volumeRequests).toBeUndefined();
  });

  test('a volume is plugged out', () => {
    const world = World.withVm({ runStrategy: 'Always' }, withVolumes([pluggable('vol1')], [scsi('vol1')])).started();
    request(world, remove);
    world.settle();
    expect(volumesOf(world.instance.spec)).toEqual(['boot']);
    expect(volumesOf(template(world))).toEqual(['boot']);
    expect(disksOf(template(world))).toEqual(['boot']);
    expect(world.status.volumeRequests).toBeUndefined();
  });

  test('several at once, in their order', () => {
    const world = World.withVm().started();
    const other = { addVolumeOptions: { ...add.addVolumeOptions, name: 'vol2' } };
    request(world, add, other);
    world.settle();
    expect(volumesOf(world.instance.spec)).toEqual(['boot', 'vol1', 'vol2']);
    request(world, remove, { removeVolumeOptions: { name: 'vol2' } });
    world.settle();
    expect(volumesOf(world.instance.spec)).toEqual(['boot']);
  });
});

describe('declarative hotplug volumes (vm.md 6.4)', () => {
  test('vm case 88: a volume of the template alone comes with its disk', () => {
    const world = World.withVm().started();
    editVolumes(world, [pluggable('data')], [scsi('data')]);
    world.settle();
    expect(world.instance.spec.volumes).toContainEqual(pluggable('data'));
    expect(world.instance.spec.domain.devices.disks).toContainEqual(scsi('data'));
    expect(world.condition('RestartRequired')).toBeUndefined();
  });

  test('vm case 88: not while its status is still there', () => {
    const world = World.withVm().started('Running', { volumeStatus: [{ name: 'data', target: '' }] });
    editVolumes(world, [pluggable('data')], [scsi('data')]);
    world.settle();
    expect(volumesOf(world.instance.spec)).toEqual(['boot']);
    world.phase('Running', { volumeStatus: [] });
    world.settle();
    expect(volumesOf(world.instance.spec)).toEqual(['boot', 'data']);
  });

  test('vm case 88: not into a VMI that does not run', () => {
    const world = World.withVm().started('Scheduled');
    editVolumes(world, [pluggable('data')], [scsi('data')]);
    world.settle();
    expect(volumesOf(world.instance.spec)).toEqual(['boot']);
  });

  test('vm case 89: one that has changed goes first, with its disk, and comes back when its status is gone', () => {
    const world = World.withVm({ runStrategy: 'Always' }, withVolumes([pluggable('data')], [scsi('data')])).started(
      'Running',
      { volumeStatus: [{ name: 'data', target: 'sda' }] },
    );
    editVolumes(world, [pluggable('data', 'other')], [scsi('data')]);
    world.settle();
    expect([volumesOf(world.instance.spec), disksOf(world.instance.spec)]).toEqual([['boot'], ['boot']]);
    world.phase('Running', { volumeStatus: [] });
    world.settle();
    expect(world.instance.spec.volumes).toContainEqual(pluggable('data', 'other'));
    expect(disksOf(world.instance.spec)).toEqual(['boot', 'data']);
  });

  test('vm case 89: a permanent volume that leaves the template stays', () => {
    const world = World.withVm({ runStrategy: 'Always' }, withVolumes([plain('data')], [scsi('data')])).started();
    editVolumes(world, [], []);
    world.settle();
    expect(volumesOf(world.instance.spec)).toEqual(['boot', 'data']);
    expect(world.condition('RestartRequired')).toMatchObject({ status: 'True' });
  });

  test('one that leaves the template goes', () => {
    const world = World.withVm({ runStrategy: 'Always' }, withVolumes([pluggable('data')], [scsi('data')])).started();
    editVolumes(world, [], []);
    world.settle();
    expect([volumesOf(world.instance.spec), disksOf(world.instance.spec)]).toEqual([['boot'], ['boot']]);
  });

  test('vm case 81: a CD-ROM that is ejected keeps its drive, one that is injected finds it', () => {
    const world = World.withVm({ runStrategy: 'Always' }, withVolumes([pluggable('cd')], [cdrom('cd')])).started();
    editVolumes(world, [], [cdrom('cd')]);
    world.settle();
    expect([volumesOf(world.instance.spec), disksOf(world.instance.spec)]).toEqual([['boot'], ['boot', 'cd']]);
    editVolumes(world, [pluggable('cd', 'other')], [cdrom('cd')]);
    world.settle();
    expect(world.instance.spec.volumes).toContainEqual(pluggable('cd', 'other'));
    expect(disksOf(world.instance.spec)).toEqual(['boot', 'cd']);
    expect(world.condition('RestartRequired')).toBeUndefined();
  });

  test.each(['gate', 'strategy'])('vm case 90: none with the %s that speaks against it', (by) => {
    const world = World.withVm().started();
    if (by === 'gate') enableGate(world, 'HotplugVolumes');
    else {
      world.changeVm((vm) => {
        vm.spec.updateVolumesStrategy = 'Migration';
      });
    }
    editVolumes(world, [pluggable('data')], [scsi('data')]);
    world.settle();
    expect(volumesOf(world.instance.spec)).toEqual(['boot']);
  });

  test('the patch tests both lists', () => {
    const world = World.withVm().started();
    const { volumes, domain } = world.instance.spec;
    editVolumes(world, [pluggable('data')], [scsi('data')]);
    expect(world.pass().actions[0]).toMatchObject({
      patch: {
        operations: [
          { op: 'test', path: '/spec/volumes', value: volumes },
          { op: 'test', path: '/spec/domain/devices/disks', value: domain.devices.disks },
          { op: 'replace', path: '/spec/volumes' },
          { op: 'replace', path: '/spec/domain/devices/disks' },
        ],
      },
    });
  });

  test('a patch that is refused: HotPlugVolumeError', () => {
    const world = World.withVm().started();
    world.refuse('vmi-hotplug-volumes', 422, 'Invalid');
    editVolumes(world, [pluggable('data')], [scsi('data')]);
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'HotPlugVolumeError' });
    world.cluster.refuse.clear();
  });
});
