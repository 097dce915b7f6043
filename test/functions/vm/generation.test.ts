import { describe, expect, test } from 'vitest';
import { GENERATION, World } from './world.ts';

describe('generation annotation of the VMI (vm.md 9.4)', () => {
  test('vm case 68: the run strategy alone changed: annotation, observed and desired follow', () => {
    const world = World.withVm({ runStrategy: 'Always' }).started();
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Manual';
    });
    world.settle();
    expect(world.instance.metadata.annotations?.[GENERATION]).toBe('2');
    expect(world.status).toMatchObject({ observedGeneration: 2, desiredGeneration: 2 });
  });

  test('vm case 68: the template changed too: observed stays', () => {
    const world = World.withVm({ runStrategy: 'Always' }).started();
    world.changeVm((vm) => {
      vm.spec.runStrategy = 'Manual';
      vm.spec.template.metadata = { labels: { app: 'other' } };
    });
    world.settle();
    expect(world.instance.metadata.annotations?.[GENERATION]).toBe('1');
    expect(world.status).toMatchObject({ observedGeneration: 1, desiredGeneration: 2 });
  });

  test('vm case 69: an annotation that is no number is made good from the revision name', () => {
    const world = World.withVm({ runStrategy: 'Always' }).started();
    world.changeInstance((vmi) => {
      vmi.metadata.annotations = { [GENERATION]: '2b3c' };
    });
    world.changeVm((vm) => {
      vm.spec.template.metadata = { labels: { app: 'other' } };
    });
    world.settle();
    expect(world.instance.metadata.annotations?.[GENERATION]).toBe('1');
    expect(world.status).toMatchObject({ observedGeneration: 1, desiredGeneration: 2 });
  });

  test('vm case 69: no annotation, revision gone: nothing changes, no error', () => {
    const world = World.withVm({ runStrategy: 'Manual' });
    world.createInstance(
      { ownerReferences: [world.reference()] },
      { phase: 'Running', virtualMachineRevisionName: 'gone-3' },
    );
    expect(world.settle().type).toBe('done');
    expect(world.instance.metadata.annotations).toBeUndefined();
    expect(world.status).not.toHaveProperty('observedGeneration');
    expect(world.status).not.toHaveProperty('desiredGeneration');
  });

  test('a VMI started by an earlier VM of the name: its revision is found by name', () => {
    const world = World.withVm({ runStrategy: 'Manual' });
    world.createRevision('revision-start-vm-earlier-7', 7);
    world.createInstance(
      { ownerReferences: [world.reference()] },
      { phase: 'Running', virtualMachineRevisionName: 'revision-start-vm-earlier-7' },
    );
    world.settle();
    expect(world.instance.metadata.annotations?.[GENERATION]).toBe('1');
    expect(world.condition('RestartRequired')).toBeUndefined();
  });

  test('the revision is seen after the VMI: what follows from it is made up for', () => {
    const world = World.withVm({ runStrategy: 'Always' });
    world.cluster.holdWatch('ControllerRevision', 'blind');
    world.started();
    world.changeVm((vm) => {
      vm.spec.template.spec = { ...vm.spec.template.spec, hostname: 'other' } as typeof vm.spec.template.spec;
    });
    world.settle();
    expect(world.condition('RestartRequired')).toBeUndefined();
    world.cluster.releaseWatch('ControllerRevision');
    world.settle();
    expect(world.condition('RestartRequired')).toMatchObject({ status: 'True' });
  });

  test.each([
    { name: 'x-1b', data: { spec: {} } },
    { name: '7', data: { spec: null } },
  ])('a revision that is none ($name): hard error', ({ name, data }) => {
    const world = World.withVm({ runStrategy: 'Always' }).started();
    const { uid } = world.vm.metadata;
    world.createRevision(`revision-start-vm-${uid}-${name}`, 7, data.spec);
    expect(world.settle()).toMatchObject({ type: 'retry', actions: [] });
  });
});
