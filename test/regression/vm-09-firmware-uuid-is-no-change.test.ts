// The firmware UUID that the controller itself writes into the VM asks the user for a restart (kubevirt PR 16329).
import { expect, test } from 'vitest';
import { stableFirmwareUuid } from '../../functions/vm/firmware-uuid.ts';
import { NAME, templateWithoutUuid, World } from '../functions/vm/world.ts';

test('the VM gets the UUID that its VMI runs with, and no condition', () => {
  const world = World.withNewVm({ runStrategy: 'Always' }, templateWithoutUuid()).started();
  expect(world.instance.spec.domain.firmware?.uuid).toBe(stableFirmwareUuid(NAME));
  expect(world.vm.spec.template.spec?.domain.firmware?.uuid).toBe(stableFirmwareUuid(NAME));
  expect(world.condition('RestartRequired')).toBeUndefined();
});
