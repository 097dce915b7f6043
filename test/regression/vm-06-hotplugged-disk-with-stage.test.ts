// Disks plugged into a running VM leave RestartRequired on it (kubevirt PR 13306).
import { expect, test } from 'vitest';
import { configure } from '../functions/vm/configuration.ts';
import { World } from '../functions/vm/world.ts';

test.each([
  ['hotpluggable, and in the VMI', { claimName: 'c', hotpluggable: true }, false],
  ['not hotpluggable, and not in the VMI', { claimName: 'c' }, true],
])('rollout Stage, a volume %s: RestartRequired %s', (_name, persistentVolumeClaim, required) => {
  const world = World.withVm();
  configure(world, { vmRolloutStrategy: 'Stage' } as never);
  world.started();
  const volume = { name: 'data', persistentVolumeClaim };
  const disk = { name: 'data', disk: { bus: 'scsi' as const } };
  if (!required) {
    world.changeInstance((vmi) => {
      vmi.spec.volumes?.push(volume);
      vmi.spec.domain.devices.disks?.push(disk as never);
    });
  }
  world.changeVm((vm) => {
    vm.spec.template.spec?.volumes?.push(volume);
    vm.spec.template.spec?.domain.devices.disks?.push(disk as never);
  });
  world.settle();
  expect(world.condition('RestartRequired')?.status === 'True').toBe(required);
});
