// Input that no admission has seen: each gets its condition or event, and what can go on does.
import { describe, expect, test } from 'vitest';
import { VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import type * as objects from '../../../functions/core/objects.ts';
import { createDataVolume, createNamespace, dataVolumeTemplate, dataVolumeVolume } from './storage.ts';
import { FINALIZER, NAMESPACE, observed, templateSpec, World } from './world.ts';

describe('bad input', () => {
  test('10,000 state change requests: the run strategy is followed, one request goes with each pass', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    world.request(...Array.from({ length: 10_000 }, () => ({ action: 'Stop', uid: 'another' })));
    world.pass();
    expect(world.maybeInstance).toBeDefined();
    for (let i = 0; i < 2; i++) world.pass();
    expect(world.status.stateChangeRequests).toHaveLength(9_997);
    expect(world.condition('Failure')).toBeUndefined();
    world.request();
  });

  test('a template that is too large for a revision: FailedCreate with the text, no VMI', () => {
    const world = World.withVm(
      { runStrategy: 'Always' },
      { volumes: [{ name: 'boot', cloudInitNoCloud: { userData: 'x'.repeat(1 << 20) } }] },
    );
    world.refuse('create-revision', 413, 'RequestEntityTooLarge', 'request is too large');
    expect(world.settle().type).toBe('retry');
    expect(world.condition('Failure')).toMatchObject({ reason: 'FailedCreate' });
    expect(world.condition('Failure')?.message).toContain('request is too large');
    expect(world.maybeInstance).toBeUndefined();
    world.cluster.refuse.clear();
  });

  test.each([
    ['no template', { template: undefined }],
    ['no spec in the template', { template: {} }],
    ['no domain', { template: { spec: {} } }],
  ])('%s: the VMI has a domain, the UUID finds no place', (_, fields) => {
    const world = World.withVm({ runStrategy: 'Halted' });
    world.changeVm((vm) => {
      Object.assign(vm.spec, { runStrategy: 'Always', ...fields });
    });
    expect(world.settle()).toMatchObject({ type: 'retry', actions: [] });
    expect(world.instance.spec.domain).toMatchObject({ devices: {} });
    expect(world.condition('Failure')).toMatchObject({ reason: 'FirmwareUUIDError' });
  });

  test('no devices: they are as good as empty', () => {
    const world = World.withVm({ runStrategy: 'Halted' });
    world.changeVm((vm) => {
      Object.assign(vm.spec, { runStrategy: 'Always', template: { spec: { domain: {} } } });
    });
    expect(world.settle().type).toBe('done');
    expect(world.instance.spec.domain.devices.interfaces).toEqual([{ name: 'default', bridge: {} }]);
  });
});

/** Another VM of the same cluster is started all the same. */
function expectOthersUnaffected(world: World): void {
  world.cluster.create<objects.VirtualMachine>({
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'other', namespace: NAMESPACE, annotations: observed, finalizers: [FINALIZER] },
    spec: { runStrategy: 'Always', template: { spec: templateSpec() } },
  });
  world.driver.settle(`${NAMESPACE}/other`);
  expect(world.cluster.get(VirtualMachineInstance, 'other', NAMESPACE)).toBeDefined();
}

describe('references that lead nowhere', () => {
  const domain = templateSpec().domain;
  const blue = { name: 'blue', bridge: {} };

  test.each<[string, Partial<objects.VirtualMachineInstance['spec']>]>([
    ['a claim', { volumes: [{ name: 'boot', persistentVolumeClaim: { claimName: 'nowhere' } }] }],
    ['a data volume', { volumes: [dataVolumeVolume('boot')] }],
    ['a secret', { volumes: [{ name: 'boot', secret: { secretName: 'nowhere' } }] }],
    [
      'a network',
      {
        networks: [{ name: 'blue', multus: { networkName: 'nowhere' } }],
        domain: { ...domain, devices: { ...domain.devices, interfaces: [blue] } },
      },
    ],
  ])('%s that is not there: the VMI is made, and says what is missing', (_name, spec) => {
    const world = World.withVm({ runStrategy: 'Always' }, spec);
    expect(world.settle().type).toBe('done');
    expect(world.maybeInstance).toBeDefined();
    expect(world.condition('Failure')).toBeUndefined();
    world.phase('Pending', { conditions: [{ type: 'Synchronized', status: 'False', reason: 'FailedPvcNotFound' }] });
    world.settle();
    expect(world.status.printableStatus).toBe('ErrorPvcNotFound');
    expect(world.condition('Synchronized')).toMatchObject({ status: 'False', reason: 'FailedPvcNotFound' });
    expectOthersUnaffected(world);
  });

  test('a data volume of another VM: it is awaited, and left alone', () => {
    const world = World.withVm(
      { runStrategy: 'Always', dataVolumeTemplates: [dataVolumeTemplate('disk')] },
      { volumes: [dataVolumeVolume('disk')] },
    );
    createNamespace(world, NAMESPACE);
    createDataVolume(world, 'disk', { phase: 'ImportInProgress', owners: [world.reference('another')] });
    expect(world.settle().type).toBe('done');
    expect(world.status.printableStatus).toBe('Provisioning');
    expect(world.maybeInstance).toBeUndefined();
    expectOthersUnaffected(world);
  });
});

describe('specs that contradict themselves', () => {
  test('running and runStrategy: an error in each pass, no status of its own, nothing started', () => {
    const world = World.withVm({ runStrategy: 'Always', running: true });
    expect(world.settle()).toMatchObject({ type: 'retry', actions: [] });
    expect(world.maybeInstance).toBeUndefined();
    expect(world.status.conditions).toBeUndefined();
    expect(world.status.printableStatus).toBe('Stopped');
    expectOthersUnaffected(world);
  });

  test('one name for two data volumes, two volumes, two disks', () => {
    const twice = [dataVolumeVolume('disk'), dataVolumeVolume('disk')];
    const world = World.withVm(
      { runStrategy: 'Always', dataVolumeTemplates: [dataVolumeTemplate('disk'), dataVolumeTemplate('disk')] },
      { volumes: twice },
    );
    createNamespace(world, NAMESPACE);
    world.settle();
    expect(world.cluster.cached('DataVolume')).toHaveLength(1);
    expectOthersUnaffected(world);
  });
});

test.each([
  ['twice', ['add', 'add']],
  ['to and fro', ['add', 'remove', 'add', 'remove', 'add']],
] as const)('the same volume requested %s: no request is left, template and VMI agree', (_name, requests) => {
  const world = World.withVm().started();
  const volumeSource = { persistentVolumeClaim: { claimName: 'c' } };
  const add = { addVolumeOptions: { name: 'data', disk: { disk: {} } as never, volumeSource } };
  const remove = { removeVolumeOptions: { name: 'data' } };
  world.changeVm((vm) => {
    vm.status = { ...vm.status, volumeRequests: requests.map((r) => (r === 'add' ? add : remove)) };
  });
  expect(world.settle().type).toBe('done');
  expect(world.status.volumeRequests).toBeUndefined();
  const names = (spec: Pick<objects.VirtualMachineInstance['spec'], 'volumes'> | undefined) =>
    spec?.volumes?.map((v) => v.name);
  expect(names(world.instance.spec)).toEqual(names(world.vm.spec.template.spec));
  if (requests.length === 2) expect(names(world.instance.spec)).toEqual(['boot', 'data']);
});

test('a VM of a megabyte: all of it is in VMI and revision, and nothing of it in the status', () => {
  const userData = 'x'.repeat(1 << 20);
  const volumes = [...(templateSpec().volumes ?? []), { name: 'seed', cloudInitNoCloud: { userData } }];
  const world = World.withVm({ runStrategy: 'Always' }, { volumes }).started();
  expect(world.instance.spec.volumes?.[1]?.cloudInitNoCloud?.userData).toBe(userData);
  expect(JSON.stringify(world.status).length).toBeLessThan(5_000);
  expect(world.pass().actions).toEqual([]);
  expectOthersUnaffected(world);
});
