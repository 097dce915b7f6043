// Deleting a VM powers its guest off hard: the VM's deletion grace period, 0, was given to the VMI (kubevirt PR 10383, reverted
// in 12064).
import { expect, test } from 'vitest';
import { World } from '../functions/vm/world.ts';

test('the VMI is deleted, and nothing of it is changed', () => {
  const world = World.withVm({ runStrategy: 'Always' }, { terminationGracePeriodSeconds: 180 }).started();
  world.deleteVm();
  world.changeVm((vm) => {
    vm.metadata.deletionGracePeriodSeconds = 0;
  });
  const { actions } = world.pass();
  const aboutInstance = actions.filter((a) => 'target' in a && a.target.kind === 'VirtualMachineInstance');
  expect(aboutInstance).toMatchObject([{ verb: 'delete' }]);
  expect(aboutInstance[0]).not.toHaveProperty('gracePeriodSeconds');
  expect(world.instance.spec.terminationGracePeriodSeconds).toBe(180);
});
