import { describe, expect, test } from 'vitest';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { templateSpec, World } from './world.ts';

type Spec = VirtualMachineInstance['spec'];
const plain = { name: 'data', persistentVolumeClaim: { claimName: 'c1' } };
const pluggable = { name: 'data', persistentVolumeClaim: { claimName: 'c1', hotpluggable: true } };
const dataDisk = { name: 'data', disk: { bus: 'scsi' } };

function running(template: Partial<Spec> = {}, rollout?: string): World {
  const world = World.withVm({ runStrategy: 'Always' }, template);
  if (rollout !== undefined) {
    const { kubevirt } = world.driver.configuration;
    const changed = { ...kubevirt, vmRolloutStrategy: rollout };
    world.driver.configuration = { ...world.driver.configuration, kubevirt: changed };
  }
  return world.started();
}

function edit(world: World, change: (spec: Spec) => void): void {
  world.changeVm((vm) => {
    change(vm.spec.template.spec as Spec);
  });
  world.settle();
}

const isRequired = (world: World) => world.condition('RestartRequired')?.status === 'True';

describe('RestartRequired (vm.md 11)', () => {
  test('vm case 70: hostname changed on a running VM, and changed back', () => {
    const world = running();
    edit(world, (spec) => {
      spec.hostname = 'other';
    });
    expect(world.condition('RestartRequired')).toEqual({
      type: 'RestartRequired',
      status: 'True',
      message: expect.any(String),
      lastProbeTime: null,
      lastTransitionTime: expect.any(String),
    });
    edit(world, (spec) => {
      delete spec.hostname;
    });
    expect(isRequired(world)).toBe(false);
  });

  test.each([
    { rollout: 'Stage', required: true },
    { rollout: 'LiveUpdate', required: false },
    { rollout: undefined, required: false },
  ])('vm case 71: sockets and guest memory with rollout strategy $rollout: $required', ({ rollout, required }) => {
    const cpu = { cores: 1, sockets: 2, maxSockets: 8 };
    const spec = templateSpec();
    const world = running({ domain: { ...spec.domain, cpu, memory: { guest: '1Gi' } } }, rollout);
    edit(world, (s) => {
      s.domain.cpu = { ...cpu, sockets: 4 };
      s.domain.memory = { guest: '2Gi' };
      s.nodeSelector = { zone: 'a' };
      s.tolerations = [{ key: 'k', operator: 'Exists' }];
    });
    expect(isRequired(world)).toBe(required);
  });

  test('cores are not live-updated', () => {
    const spec = templateSpec();
    const world = running({ domain: { ...spec.domain, cpu: { cores: 1, sockets: 1 } } });
    edit(world, (s) => {
      s.domain.cpu = { cores: 2, sockets: 1 };
    });
    expect(isRequired(world)).toBe(true);
  });

  test('vm case 79: the firmware UUID of the VMI is no change, another one is', () => {
    const world = running();
    edit(world, (spec) => {
      spec.domain.firmware = { uuid: '99999999-2222-4333-8444-555555555555' };
    });
    expect(isRequired(world)).toBe(true);
    edit(world, (spec) => {
      spec.domain.firmware = structuredClone(world.instance.spec.domain.firmware);
    });
    expect(isRequired(world)).toBe(false);
  });

  test.each([['Stage'], ['LiveUpdate']])('vm case 80: %s: a hotplug volume comes, changes and goes', (rollout) => {
    const world = running({}, rollout);
    edit(world, (spec) => {
      spec.volumes?.push(structuredClone(pluggable));
      spec.domain.devices.disks?.push(structuredClone(dataDisk));
    });
    expect(isRequired(world)).toBe(false);
    edit(world, (spec) => {
      spec.volumes?.splice(1, 1, { name: 'data', persistentVolumeClaim: { claimName: 'c2', hotpluggable: true } });
    });
    expect(isRequired(world)).toBe(false);
    edit(world, (spec) => {
      spec.volumes?.pop();
      spec.domain.devices.disks?.pop();
    });
    expect(isRequired(world)).toBe(false);
  });

  test('vm case 80: a plain claim added', () => {
    const world = running();
    edit(world, (spec) => {
      spec.volumes?.push(structuredClone(plain));
    });
    expect(isRequired(world)).toBe(true);
  });

  test.each([
    { strategy: 'Migration', required: false },
    { strategy: undefined, required: true },
  ])('the claim of a volume changes, volumes strategy $strategy: $required', ({ strategy, required }) => {
    const spec = templateSpec();
    const world = running({ volumes: [...(spec.volumes ?? []), plain] });
    world.changeVm((vm) => {
      if (strategy !== undefined) vm.spec.updateVolumesStrategy = strategy;
    });
    edit(world, (s) => {
      s.volumes?.splice(1, 1, { name: 'data', persistentVolumeClaim: { claimName: 'c2' } });
    });
    expect(isRequired(world)).toBe(required);
  });

  test('vm case 81: a CD-ROM is ejected and injected; its drive removed', () => {
    const spec = templateSpec();
    const drive = { name: 'data', cdrom: { bus: 'sata' } };
    const devices = { ...spec.domain.devices, disks: [...(spec.domain.devices.disks ?? []), drive] };
    const world = running({ domain: { ...spec.domain, devices }, volumes: [...(spec.volumes ?? []), pluggable] });
    edit(world, (s) => {
      s.volumes?.pop();
    });
    expect(isRequired(world)).toBe(false);
    edit(world, (s) => {
      s.volumes?.push(structuredClone(pluggable));
    });
    expect(isRequired(world)).toBe(false);
    edit(world, (s) => {
      s.volumes?.pop();
      s.domain.devices.disks?.pop();
    });
    expect(isRequired(world)).toBe(true);
  });

  test('vm case 83: stopped with an unchanged template: the condition is gone', () => {
    const world = running();
    world.changeVm((vm) => {
      vm.status?.conditions?.push({ type: 'RestartRequired', status: 'True' });
      vm.spec.runStrategy = 'Halted';
    });
    world.pass();
    expect(world.instance.metadata.deletionTimestamp).toBeDefined();
    expect(world.condition('RestartRequired')).toBeUndefined();
  });

  test('stopped with a changed template: the condition stays until the next start', () => {
    const world = running();
    edit(world, (spec) => {
      spec.hostname = 'other';
    });
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Halted';
    });
    world.settle();
    world.phase('Succeeded');
    world.settle();
    expect(world.maybeInstance).toBeUndefined();
    expect(isRequired(world)).toBe(true);
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Always';
    });
    world.settle();
    expect(world.instance.spec.hostname).toBe('other');
    expect(isRequired(world)).toBe(false);
  });

  test('fault VM-06: a hotplugged disk that the VMI has too, with rollout Stage', () => {
    const world = running({}, 'Stage');
    world.changeInstance((vmi) => {
      vmi.spec.volumes?.push(structuredClone(pluggable));
      vmi.spec.domain.devices.disks?.push(structuredClone(dataDisk));
    });
    edit(world, (spec) => {
      spec.volumes?.push(structuredClone(pluggable));
      spec.domain.devices.disks?.push(structuredClone(dataDisk));
    });
    expect(isRequired(world)).toBe(false);
  });

  test('an interface is removed; one is added', () => {
    const removed = running();
    edit(removed, (spec) => {
      spec.networks = [];
      spec.domain.devices.interfaces = [];
    });
    expect(isRequired(removed)).toBe(true);
    const added = running();
    edit(added, (spec) => {
      spec.networks?.push({ name: 'blue', multus: { networkName: 'blue' } });
      spec.domain.devices.interfaces?.push({ name: 'blue', bridge: {} });
    });
    expect(isRequired(added)).toBe(false);
  });

  test.each([
    { migratable: 'True', required: false },
    { migratable: 'False', required: true },
  ])('vm case 102: another network, migratable $migratable: $required', ({ migratable, required }) => {
    const spec = templateSpec();
    const interfaces = [{ name: 'blue', bridge: {} }];
    const world = running({
      domain: { ...spec.domain, devices: { ...spec.domain.devices, interfaces } },
      networks: [{ name: 'blue', multus: { networkName: 'blue' } }],
    });
    world.phase('Running', { conditions: [{ type: 'LiveMigratable', status: migratable }] });
    edit(world, (s) => {
      s.networks = [{ name: 'blue', multus: { networkName: 'green' } }];
    });
    expect(isRequired(world)).toBe(required);
  });
});
