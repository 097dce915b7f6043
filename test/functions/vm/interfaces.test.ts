import { describe, expect, test } from 'vitest';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { templateSpec, World } from './world.ts';

type Spec = VirtualMachineInstance['spec'];
type Interface = NonNullable<Spec['domain']['devices']['interfaces']>[number];
type Status = Partial<NonNullable<VirtualMachineInstance['status']>>;

const blue: Interface = { name: 'blue', bridge: {} };
const own: Interface = { name: 'default', masquerade: {} };
const multus = (name: string, networkName = name) => ({ name, multus: { networkName } });
const pod = { name: 'default', pod: {} };

function withInterfaces(interfaces: Interface[], networks: NonNullable<Spec['networks']>): Partial<Spec> {
  const { domain } = templateSpec();
  return { domain: { ...domain, devices: { ...domain.devices, interfaces } }, networks };
}

function edit(world: World, interfaces: Interface[], networks: NonNullable<Spec['networks']>): void {
  world.changeVm((vm) => {
    Object.assign(vm.spec.template.spec ?? {}, withInterfaces(interfaces, networks));
  });
}

function running(
  status: Status = {},
  extra: Partial<Spec> = withInterfaces([own, blue], [pod, multus('blue')]),
): World {
  return World.withVm({ runStrategy: 'Always' }, extra).started('Running', status);
}

const interfaces = (world: World) => world.instance.spec.domain.devices.interfaces;
const templated = (world: World) => world.vm.spec.template.spec?.domain.devices.interfaces?.map((i) => i.name);
const seen = (podInterfaceName: string): Status => ({ interfaces: [{ name: 'blue', podInterfaceName }] });

describe('network interfaces of a running VM (vm.md 6.1)', () => {
  test.each([
    ['bridge', blue],
    ['sriov', { name: 'blue', sriov: {} }],
  ])('vm case 100: one with binding %s is plugged in, with its network', (_name, added) => {
    const world = running({}, withInterfaces([own], [pod]));
    edit(world, [own, added], [pod, multus('blue')]);
    expect(world.pass().actions[0]).toMatchObject({
      patch: {
        operations: [
          { op: 'test', path: '/spec/networks', value: [pod] },
          { op: 'add', path: '/spec/networks', value: [pod, multus('blue')] },
          { op: 'test', path: '/spec/domain/devices/interfaces', value: [own] },
          { op: 'add', path: '/spec/domain/devices/interfaces', value: [own, added] },
        ],
      },
    });
    world.settle();
    expect(interfaces(world)).toEqual([own, added]);
    expect(world.condition('RestartRequired')).toBeUndefined();
  });

  test('vm case 100: one with binding masquerade is not', () => {
    const world = running({}, withInterfaces([own], [pod]));
    edit(world, [own, { name: 'blue', masquerade: {} }], [pod, multus('blue')]);
    world.settle();
    expect(interfaces(world)).toEqual([own]);
  });

  test('vm case 101: absent, with names that tell which: told to the VMI; once it is gone, it leaves both', () => {
    const world = running(seen('pod1234'));
    edit(world, [own, { ...blue, state: 'absent' }], [pod, multus('blue')]);
    world.settle();
    expect(interfaces(world)).toEqual([own, { ...blue, state: 'absent' }]);
    expect(templated(world)).toEqual(['default', 'blue']);
    world.phase('Running', { interfaces: [] });
    world.settle();
    expect(interfaces(world)).toEqual([own]);
    expect(world.instance.spec.networks).toEqual([pod]);
    expect(templated(world)).toEqual(['default']);
    expect(world.vm.spec.template.spec?.networks).toEqual([pod]);
  });

  test.each([
    ['ordinal', seen('net1')],
    ['unknown', {}],
  ])('vm case 101: absent, with %s names: the VMI stays', (_name, status) => {
    const world = running(status);
    edit(world, [own, { ...blue, state: 'absent' }], [pod, multus('blue')]);
    expect(world.settle().type).toBe('done');
    expect(interfaces(world)).toEqual([own, blue]);
    expect(templated(world)).toEqual(['default', 'blue']);
  });

  test.each([['down'], ['up']])('vm case 101: with ordinal names another state than absent is told: %s', (state) => {
    const world = running(seen('net1'));
    edit(world, [own, { ...blue, state } as Interface], [pod, multus('blue')]);
    world.settle();
    expect(interfaces(world)).toEqual([own, { ...blue, state }]);
    edit(world, [own, blue], [pod, multus('blue')]);
    world.settle();
    expect(interfaces(world)).toEqual([own, blue]);
  });

  test.each([
    ['True', 'green', false],
    ['False', 'blue', true],
  ])('vm case 102: another network, migratable %s: %s, restart %s', (status, expected, restart) => {
    const world = running({ ...seen('pod1'), conditions: [{ type: 'LiveMigratable', status }] });
    edit(world, [own, blue], [pod, multus('blue', 'green')]);
    world.settle();
    expect(world.instance.spec.networks?.[1]).toEqual(multus('blue', expected));
    expect(world.condition('RestartRequired')?.status === 'True').toBe(restart);
  });

  test('vm case 103: a patch that is refused: HotPlugNetworkInterfaceError; what follows waits', () => {
    const world = running({}, withInterfaces([own], [pod]));
    world.refuse('vmi-interfaces', 422, 'Invalid');
    edit(world, [own, blue], [pod, multus('blue')]);
    world.changeVm((vm) => {
      vm.spec.template.spec = { ...vm.spec.template.spec, tolerations: [{ key: 'k', operator: 'Exists' }] } as never;
    });
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'HotPlugNetworkInterfaceError' });
    expect(world.instance.spec.tolerations).toBeUndefined();
    world.cluster.refuse.clear();
  });

  test('a stopped VM loses what is absent, by a PUT', () => {
    const absent = withInterfaces([own, { ...blue, state: 'absent' } as Interface], [pod, multus('blue')]);
    const world = World.withVm({ runStrategy: 'Halted' }, absent);
    expect(world.pass().actions.map((a) => a.id)).toEqual(['edit']);
    expect(templated(world)).toEqual(['default']);
  });

  test('a VMI that is going is left alone', () => {
    const world = running({}, withInterfaces([own], [pod]));
    world.deleteInstance();
    edit(world, [own, blue], [pod, multus('blue')]);
    world.settle();
    expect(interfaces(world)).toEqual([own]);
  });
});
