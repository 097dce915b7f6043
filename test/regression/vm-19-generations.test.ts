// Another way of telling which generation of a VM runs broke snapshots, and was rolled back (kubevirt PR 15298, reverted in
// 17466): the VMI's annotation follows the VM as long as the template is that of the start.
import { expect, test } from 'vitest';
import { GENERATION, World } from '../functions/vm/world.ts';

test('a change of the run strategy alone advances it, one of the template does not', () => {
  const world = World.withVm().started();
  world.changeVm((vm) => {
    vm.spec.runStrategy = 'Manual';
  });
  world.settle();
  expect(world.instance.metadata.annotations?.[GENERATION]).toBe('2');
  expect(world.status).toMatchObject({ observedGeneration: 2, desiredGeneration: 2 });
  world.changeVm((vm) => {
    Object.assign(vm.spec.template.spec ?? {}, { hostname: 'other' });
  });
  world.settle();
  expect(world.instance.metadata.annotations?.[GENERATION]).toBe('2');
  expect(world.status).toMatchObject({ observedGeneration: 2, desiredGeneration: 3 });
});
