import { describe, expect, test } from 'vitest';
import { GENERATION, NAME, observed, templateWithoutUuid, World } from './world.ts';

const UUID_OF_NAME = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('from a VM as a user makes it', () => {
  test('vm case 119: written form, Always: the VMI starts at generation 1, the UUID follows', () => {
    const world = World.withNewVm({ runStrategy: 'Always' }, templateWithoutUuid());
    world.settle();
    expect(world.revisionGenerations).toEqual(['1']);
    expect(world.revisions[0]?.data).not.toHaveProperty('spec.template.spec.domain.firmware');
    expect(world.instance.metadata.annotations?.[GENERATION]).toBe('1');
    expect(world.instance.spec.domain.firmware?.uuid).toMatch(UUID_OF_NAME);
    expect(world.vm.metadata.generation).toBe(2);
    expect(world.vm.spec.template.spec?.domain.firmware?.uuid).toBe(world.instance.spec.domain.firmware?.uuid);
    expect(world.status).toMatchObject({ created: true, observedGeneration: 1, desiredGeneration: 2 });
    expect(world.condition('RestartRequired')).toBeUndefined();

    world.phase('Running');
    world.phase('Succeeded');
    world.settle();
    expect(world.revisionGenerations).toEqual(['2']);
    expect(world.revisions[0]?.data).toHaveProperty('spec.template.spec.domain.firmware.uuid');
    expect(world.status).toMatchObject({ observedGeneration: 2, desiredGeneration: 2 });
  });

  test.each([['Halted'], ['Manual']])('vm case 120: %s, started later: first start at generation 2', (runStrategy) => {
    const world = World.withNewVm({ runStrategy }, templateWithoutUuid());
    world.settle();
    expect(world.vm.metadata.generation).toBe(2);
    world.request({ action: 'Start' });
    world.settle();
    const generation = runStrategy === 'Halted' ? 3 : 2;
    expect(world.revisionGenerations).toEqual([String(generation)]);
    expect(world.revisions[0]?.data).toHaveProperty('spec.template.spec.domain.firmware.uuid');
    expect(world.status).toMatchObject({ observedGeneration: generation, desiredGeneration: generation });
  });

  test('vm case 120: running false, then true: first start at generation 3', () => {
    const world = World.withNewVm({ running: false }, templateWithoutUuid());
    world.settle();
    world.changeVm((vm) => {
      vm.spec.running = true;
    });
    world.settle();
    expect(world.revisionGenerations).toEqual(['3']);
    expect(world.status).toMatchObject({ observedGeneration: 3, desiredGeneration: 3, runStrategy: 'Always' });
  });

  test('vm case 121: the run strategy changes while the template is newer than the revision', () => {
    const world = World.withNewVm({ runStrategy: 'Always' }, templateWithoutUuid()).started();
    const before = world.instance;
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Manual';
    });
    world.settle();
    expect(world.vm.metadata.generation).toBe(3);
    expect(world.status).toMatchObject({ observedGeneration: 1, desiredGeneration: 3, runStrategy: 'Manual' });
    expect(world.instance).toEqual(before);
  });

  test('vm case 122: not in written form: the annotation PUT raises the generation', () => {
    const template = templateWithoutUuid();
    const { resources: _, ...domain } = template.domain;
    const world = World.withNewVm({ runStrategy: 'Always' }, { ...template, domain });
    world.settle();
    expect(world.revisionGenerations).toEqual(['2']);
    expect(world.instance.metadata.annotations?.[GENERATION]).toBe('2');
    expect(world.status).toMatchObject({ observedGeneration: 2, desiredGeneration: 3 });
  });

  test('vm case 123: an orphan VMI that no VM started: adopted once, then nothing', () => {
    const world = World.withNewVm({ runStrategy: 'Always' }, templateWithoutUuid());
    world.createInstance({}, { phase: 'Running' });
    const outcome = world.settle();
    expect(outcome).toMatchObject({ type: 'retry', actions: [] });
    expect(world.instance.metadata.ownerReferences).toEqual([world.reference()]);
    expect(world.instance.metadata.annotations).toBeUndefined();
    expect(world.vm.metadata.annotations).toEqual(observed);
    expect(world.vm.metadata.finalizers).toHaveLength(1);
    expect(world.vm.metadata.generation).toBe(1);
    expect(Object.keys(world.status).sort()).toEqual(['printableStatus', 'volumeSnapshotStatuses']);
    expect(world.status.printableStatus).toBe('Stopped');
    expect(world.eventReasons).toEqual([]);
  });

  test.each([['Halted'], ['Manual']])(
    'vm case 125: %s, never with a VMI: only Ready and printableStatus',
    (runStrategy) => {
      const world = World.withNewVm({ runStrategy }, templateWithoutUuid());
      world.settle();
      expect(world.status).toEqual({
        conditions: [expect.objectContaining({ type: 'Ready', status: 'False', reason: 'VMINotExists' })],
        printableStatus: 'Stopped',
        volumeSnapshotStatuses: [{ name: 'boot', enabled: false, reason: expect.any(String) }],
      });
    },
  );

  test('vm case 126: the VMI is gone: what was true of it stays, but created and ready', () => {
    const world = World.withVm({ runStrategy: 'Manual' });
    world.settle();
    world.request({ action: 'Start' });
    world.started('Running', {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'LiveMigratable', status: 'True' },
      ],
    });
    expect(world.status).toMatchObject({ created: true, ready: true, printableStatus: 'Running' });
    world.request({ action: 'Stop', uid: world.instance.metadata.uid });
    world.settle();
    world.phase('Succeeded');
    world.settle();
    expect(world.maybeInstance).toBeUndefined();
    expect(world.status).not.toHaveProperty('created');
    expect(world.status).not.toHaveProperty('ready');
    expect(world.status).toMatchObject({ runStrategy: 'Manual', observedGeneration: 1, desiredGeneration: 1 });
    expect(world.status.printableStatus).toBe('Stopped');
    expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'VMINotExists' });
  });

  test('vm case 127: RerunOnFailure, failed after running: a new VMI, and nothing left of requests and failures', () => {
    const world = World.withVm({ runStrategy: 'RerunOnFailure' }).started();
    const first = world.instance.metadata.uid;
    world.phase('Failed');
    world.settle();
    expect(world.instance.metadata.uid).not.toBe(first);
    world.phase('Running');
    world.settle();
    expect(world.status).not.toHaveProperty('stateChangeRequests');
    expect(world.status).not.toHaveProperty('startFailure');
    expect(world.instance.metadata.name).toBe(NAME);
  });
});
