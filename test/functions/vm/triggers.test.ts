// What wakes a VM, case by case; the whole table of vm.md 2 is test/regression/cp-03-what-wakes-what.test.ts.
import { describe, expect, test } from 'vitest';
import { defaultConfiguration, defaultProcessParameters } from '../../../functions/core/configuration/defaults.ts';
import { anyController } from '../../../functions/core/controller.ts';
import type { KubeVirtConfiguration } from '../../../functions/core/newer-fields.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import { vm } from '../../../functions/vm/reads.ts';
import { Deliveries } from '../../events/relay/support/deliveries.ts';
import { templateSpec, World } from './world.ts';

function machine(name: string, ...volumes: object[]): KubeObject {
  const template = { spec: { domain: { devices: {} }, volumes } };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'ns' },
    spec: { runStrategy: 'Halted', template },
  } as KubeObject;
}
const instance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'a', namespace: 'ns' },
  spec: { domain: { devices: {} } },
};
const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'p', namespace: 'ns' },
  spec: { resources: { requests: { storage: '1Gi' } } },
  status: { phase: 'Pending' },
};

async function watching(...objects: KubeObject[]): Promise<Deliveries> {
  const deliveries = new Deliveries([anyController(vm)], ...objects);
  await deliveries.start();
  return deliveries;
}

describe('triggers (vm.md 2)', () => {
  test('vm case 11: a deletion that is told twice counts once', () => {
    const world = World.withVm({ runStrategy: 'Always' }).started();
    world.changeVm((machineOfWorld) => {
      machineOfWorld.spec.runStrategy = 'Halted';
    });
    world.cluster.holdWatch('VirtualMachineInstance', 'blind');
    world.pass();
    expect(world.pass().type).toBe('stale');
    world.cluster.releaseWatch('VirtualMachineInstance');
    for (let i = 0; i < 3; i++) world.pass();
    expect(world.eventReasons).toEqual(['SuccessfulCreate', 'SuccessfulDelete']);
    expect(world.status.printableStatus).toBe('Stopping');
  });

  test('vm case 13: the same VMI again: nothing; the periodic visit brings every VM', async () => {
    const deliveries = await watching(machine('a'), instance);
    deliveries.seeAgain('VirtualMachineInstance', 'ns/a');
    expect(await deliveries.newKeys()).toEqual([]);
    deliveries.visitAll();
    expect(await deliveries.newKeys()).toEqual(['vm ns/a']);
  });

  test('vm case 14: a claim is added that a VM has by its data volume', async () => {
    const deliveries = await watching(machine('a', { name: 'disk', dataVolume: { name: 'p' } }), machine('b'));
    deliveries.see(claim);
    expect(await deliveries.newKeys()).toEqual(['vm ns/a']);
  });

  test('vm case 15: another rollout strategy wakes no VM', () => {
    const defaults = defaultConfiguration('kubevirt', defaultProcessParameters);
    const seen = (more: KubeVirtConfiguration) =>
      JSON.stringify(anyController(vm).revisitWhen?.({ ...defaults, kubevirt: { ...defaults.kubevirt, ...more } }));
    expect(seen({ vmRolloutStrategy: 'Stage' })).toBe(seen({}));
  });

  test('vm case 16: labels of a namespace wake its own VMs at most, and write nothing', async () => {
    const elsewhere = { ...machine('b'), metadata: { name: 'b', namespace: 'elsewhere' } };
    const deliveries = await watching(machine('a'), elsewhere);
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ns', labels: { a: 'b' } } };
    deliveries.see(namespace);
    expect(await deliveries.newKeys()).toEqual(['vm ns/a']);

    const world = World.withVm({ runStrategy: 'Always' }, templateSpec()).started();
    world.cluster.create({ ...namespace, metadata: { ...namespace.metadata, name: 'ns1' } });
    expect(world.pass().actions).toEqual([]);
  });

  test('vm case 17: what was expected has not come after 6 minutes: the pass goes on, and still counts it', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    world.cluster.holdWatch('VirtualMachineInstance', 'blind');
    world.pass();
    expect(world.pass().type).toBe('stale');
    world.cluster.nowMs += 6 * 60_000;
    expect(world.pass().type).toBe('done');
    expect(world.status.printableStatus).toBe('Starting');
    world.cluster.releaseWatch('VirtualMachineInstance');
    world.settle();
    expect(world.instance.metadata.generation).toBe(1);
  });
});
