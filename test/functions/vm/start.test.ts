import { describe, expect, test } from 'vitest';
import { stableFirmwareUuid } from '../../../functions/vm/firmware-uuid.ts';
import { FINALIZER, GENERATION, NAME, NAMESPACE, templateSpec, templateWithoutUuid, World } from './world.ts';

function withDevices(devices: object): ReturnType<typeof templateSpec> {
  const spec = templateSpec({ networks: [] });
  return { ...spec, domain: { ...spec.domain, devices } };
}

describe('start (vm.md 5.10)', () => {
  test('the pass that creates the VMI does nothing else: the UUID waits until the VMI is seen', () => {
    const world = World.withNewVm({ runStrategy: 'Always' }, templateWithoutUuid());
    world.pass();
    world.pass();
    expect(world.maybeInstance).toBeDefined();
    expect(world.vm.metadata.generation).toBe(1);
    expect(world.status.printableStatus).toBe('Starting');
  });

  test('vm case 47: manual recovery required: no VMI, no error', () => {
    const world = World.withVm();
    world.changeVm((vm) => {
      vm.status = { conditions: [{ type: 'ManualRecoveryRequired', status: 'True' }] };
    });
    expect(world.settle().type).toBe('done');
    expect(world.maybeInstance).toBeUndefined();
    expect(world.condition('Failure')).toBeUndefined();
  });

  test('vm case 48: the VMI is refused: event and Failure with the text; the revision stays', () => {
    const world = World.withVm();
    world.refuse('create-vmi', 403, 'Forbidden', 'exceeded quota: q1');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.eventReasons).toEqual(['FailedCreate']);
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(world.condition('Failure')?.message).toContain('exceeded quota: q1');
    expect(world.status.printableStatus).toBe('Stopped');
    const revision = world.revisions[0]?.metadata.uid;
    world.cluster.refuse.clear();
    world.settle();
    expect(world.maybeInstance).toBeDefined();
    expect(world.revisions.map((r) => r.metadata.uid)).toEqual([revision]);
    expect(world.condition('Failure')).toBeUndefined();
  });

  test('vm case 48: refused again and again: each try costs one request, the state stays', () => {
    const world = World.withVm();
    world.refuse('create-vmi');
    for (let i = 0; i < 4; i++) world.pass();
    const before = world.vm;
    expect(
      world
        .pass()
        .actions.map((a) => a.id)
        .slice(0, 1),
    ).toEqual(['create-vmi']);
    world.pass();
    expect(world.vm).toEqual(before);
    world.cluster.refuse.clear();
  });

  test('vm case 49: name and annotations of the template do not count, those of the VM neither', () => {
    const world = World.withVm({ runStrategy: 'Halted' });
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Always';
      vm.metadata.annotations = { ...vm.metadata.annotations, mine: 'yes' };
      vm.spec.template.metadata = {
        name: 'other',
        generateName: 'other-',
        labels: { a: 'b' },
        annotations: { c: 'd' },
        finalizers: ['x/y'],
      };
    });
    world.settle();
    expect(world.instance.metadata).toMatchObject({
      name: NAME,
      namespace: NAMESPACE,
      labels: { a: 'b' },
      annotations: { c: 'd', [GENERATION]: '2' },
      finalizers: ['x/y', FINALIZER],
      ownerReferences: [world.reference()],
    });
    expect(Object.keys(world.instance.metadata.annotations ?? {})).toHaveLength(2);
    expect(world.instance.metadata.generateName).toBeUndefined();
    world.changeInstance((vmi) => {
      vmi.metadata.finalizers = [FINALIZER];
    });
  });

  test('vm case 50: the firmware UUID follows from the name, unless the template has one', () => {
    const world = World.withNewVm({ runStrategy: 'Always' }, templateWithoutUuid());
    world.settle();
    // Version 5 of the name in the namespace of vm.md 6.2.
    expect(stableFirmwareUuid(NAME)).toBe('5a9fc181-957e-5c32-9e5a-2de5e9673531');
    expect(world.instance.spec.domain.firmware?.uuid).toBe(stableFirmwareUuid(NAME));
    const named = World.withVm();
    named.settle();
    expect(named.instance.spec.domain.firmware).toEqual(templateSpec().domain.firmware);
  });

  test('vm case 52: a volume without disk gets one, in the VMI alone', () => {
    const world = World.withVm(
      { runStrategy: 'Always' },
      {
        volumes: [
          { name: 'boot', containerDisk: { image: 'registry.example/disks/small:1' } },
          { name: 'extra', emptyDisk: { capacity: '1Gi' } },
        ],
      },
    );
    world.settle();
    expect(world.instance.spec.domain.devices.disks?.map((d) => d.name)).toEqual(['boot', 'extra']);
    expect(world.vm.spec.template.spec?.domain.devices.disks?.map((d) => d.name)).toEqual(['boot']);
    expect(world.condition('RestartRequired')).toBeUndefined();
  });

  test.each([
    { network: {}, expected: { name: 'default', bridge: {} } },
    { network: { defaultNetworkInterface: 'masquerade' }, expected: { name: 'default', masquerade: {} } },
    { network: { defaultNetworkInterface: 'other' }, expected: undefined },
  ])('vm case 53: no networks: $network gives $expected', ({ network, expected }) => {
    const world = World.withVm({ runStrategy: 'Always' }, withDevices({}));
    configure(world, network);
    world.pass();
    expect(world.instance.spec.networks).toEqual([{ name: 'default', pod: {} }]);
    expect(world.instance.spec.domain.devices.interfaces?.[0]).toEqual(expected);
  });

  test.each([
    { network: { defaultNetworkInterface: 'slirp' } },
    { network: { defaultNetworkInterface: 'bridge', permitBridgeInterfaceOnPodNetwork: false } },
  ])('vm case 53: $network: no VMI, Failure, no event', ({ network }) => {
    const world = World.withVm({ runStrategy: 'Always' }, withDevices({}));
    configure(world, network);
    expect(world.pass().type).toBe('retry');
    expect(world.maybeInstance).toBeUndefined();
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(world.eventReasons).toEqual([]);
  });

  test('vm case 53: networks that are there, or not wanted, are left alone', () => {
    const named = World.withVm();
    named.settle();
    expect(named.instance.spec.networks).toEqual([{ name: 'default', pod: {} }]);
    expect(named.instance.spec.domain.devices.interfaces).toEqual([{ name: 'default', masquerade: {} }]);
    const unwanted = World.withVm({ runStrategy: 'Always' }, withDevices({ autoattachPodInterface: false }));
    unwanted.settle();
    expect(unwanted.instance.spec.networks).toBeUndefined();
  });

  test('vm case 54: a removed binding: the VMI is not even asked for', () => {
    const world = World.withVm(
      { runStrategy: 'Always' },
      withDevices({ interfaces: [{ name: 'default', macvtap: {} }] }),
    );
    const { actions } = world.pass();
    expect(actions.map((a) => a.id)).not.toContain('create-vmi');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(world.eventReasons).toEqual([]);
  });

  test('vm case 55: an input device by default', () => {
    const wanted = World.withVm({ runStrategy: 'Always' }, withDevices({ autoattachInputDevice: true }));
    wanted.settle();
    expect(wanted.instance.spec.domain.devices.inputs).toEqual([expect.objectContaining({ name: 'default-0' })]);
    const inputs = [{ name: 'tablet', type: 'tablet', bus: 'usb' }];
    const listed = World.withVm({ runStrategy: 'Always' }, withDevices({ autoattachInputDevice: true, inputs }));
    listed.settle();
    expect(listed.instance.spec.domain.devices.inputs).toEqual(inputs);
    const none = World.withVm();
    none.settle();
    expect(none.instance.spec.domain.devices.inputs).toBeUndefined();
  });

  test('vm case 56: an old revision is replaced, one of an instance type left alone', () => {
    const world = World.withVm({ runStrategy: 'Halted' });
    const { uid } = world.vm.metadata;
    world.createRevision(`revision-start-vm-${uid}-1`, 1);
    world.createRevision('testvm-small-v1beta1-uid-1', 1);
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Always';
    });
    world.settle();
    const names = world.revisions.map((r) => r.metadata.name).sort();
    expect(names).toEqual([`revision-start-vm-${uid}-2`, 'testvm-small-v1beta1-uid-1']);
    expect(world.instance.status).toMatchObject({
      virtualMachineRevisionName: `revision-start-vm-${uid}-2`,
      runtimeUser: 0,
    });
  });

  test('vm case 56: the revision cannot be made: FailedCreate without event; the retry succeeds', () => {
    const world = World.withVm();
    world.refuse('create-revision', 409, 'AlreadyExists');
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(world.eventReasons).toEqual([]);
    world.cluster.refuse.clear();
    world.settle();
    expect(world.maybeInstance).toBeDefined();
  });
});

test('fault VM-18: an instance type that was taken out of the VM leaves its reference, and hinders no start', () => {
  const world = World.withVm();
  world.changeVm((vm) => {
    vm.status = { instancetypeRef: { name: 'small', controllerRevisionRef: { name: 'r1' } } };
  });
  world.settle();
  expect(world.maybeInstance).toBeDefined();
  expect(world.status.instancetypeRef).toEqual({ name: 'small', controllerRevisionRef: { name: 'r1' } });
});

describe('firmware UUID (vm.md 6.2)', () => {
  test('vm case 104: a stopped VM without UUID gets it, tested against null', () => {
    const world = World.withNewVm({ runStrategy: 'Halted' }, templateWithoutUuid());
    world.pass();
    const { actions } = world.pass();
    expect(actions.at(-1)).toMatchObject({
      id: 'firmware-uuid',
      patch: {
        operations: [
          { op: 'test', value: null },
          { op: 'add', value: { uuid: stableFirmwareUuid(NAME) } },
        ],
      },
    });
  });

  test('vm case 104: the patch is refused: FirmwareUUIDError', () => {
    const world = World.withNewVm({ runStrategy: 'Halted' }, templateWithoutUuid());
    world.refuse('firmware-uuid');
    world.pass();
    world.pass();
    expect(world.pass().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FirmwareUUIDError' });
    world.cluster.refuse.clear();
  });
});

function configure(world: World, network: object): void {
  const { kubevirt } = world.driver.configuration;
  world.driver.configuration = { ...world.driver.configuration, kubevirt: { ...kubevirt, network } };
}
