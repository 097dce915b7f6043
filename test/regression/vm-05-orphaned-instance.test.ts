// `kubectl delete vm --cascade=orphan` deletes the running VMI as well (kubevirt PR 9259, issue 9223).
import { expect, test } from 'vitest';
import { FINALIZER, World } from '../functions/vm/world.ts';

test('with finalizer orphan only the own finalizer goes, and the VMI stays', () => {
  const world = World.withVm().started();
  const before = world.instance;
  world.changeVm((vm) => {
    vm.metadata.finalizers = ['orphan', FINALIZER];
  });
  world.deleteVm();
  expect(world.pass().actions.map((a) => a.verb)).toEqual(['patch']);
  expect(world.vm.metadata.finalizers).toEqual(['orphan']);
  expect(world.instance).toEqual(before);
});
