// A VM is started in the middle of a migration of its volumes that has failed; a destination that is not there (kubevirt
// PR 12864, 14677).
import { expect, test } from 'vitest';
import { createClaim } from '../functions/vm/storage.ts';
import { templateSpec, World } from '../functions/vm/world.ts';

const onClaim = (claimName: string) => ({ name: 'boot', persistentVolumeClaim: { claimName } });

function interrupted(): World {
  const { domain } = templateSpec();
  const world = World.withVm(
    { runStrategy: 'Always', updateVolumesStrategy: 'Migration' },
    { domain, volumes: [onClaim('dst')] },
  );
  for (const name of ['src', 'dst']) createClaim(world, name);
  const migratedVolumes = [
    { volumeName: 'boot', sourcePVCInfo: { claimName: 'src' }, destinationPVCInfo: { claimName: 'dst' } },
  ];
  world.changeVm((vm) => {
    vm.status = {
      conditions: [{ type: 'VolumesChange', status: 'True' }],
      volumeUpdateState: { volumeMigrationState: { migratedVolumes } },
    };
  });
  return world;
}

test('no VMI while volumes moved: manual recovery, no start; set back, it is over and starts', () => {
  const world = interrupted();
  expect(world.settle().type).toBe('done');
  expect(world.condition('ManualRecoveryRequired')).toMatchObject({ status: 'True' });
  expect(world.maybeInstance).toBeUndefined();
  world.changeVm((vm) => {
    vm.spec.template.spec?.volumes?.splice(0, 1, onClaim('src'));
  });
  world.settle();
  expect(world.maybeInstance).toBeDefined();
  expect(world.condition('ManualRecoveryRequired')).toBeUndefined();
  expect(world.status.volumeUpdateState?.volumeMigrationState).toBeUndefined();
});

test('the destination is not there: a condition that names it, no migration', () => {
  const { domain } = templateSpec();
  const world = World.withVm(
    { runStrategy: 'Always', updateVolumesStrategy: 'Migration' },
    { domain, volumes: [onClaim('src')] },
  );
  createClaim(world, 'src');
  world.started();
  world.changeVm((vm) => {
    vm.spec.template.spec?.volumes?.splice(0, 1, { name: 'boot', dataVolume: { name: 'nowhere' } } as never);
  });
  world.settle();
  const change = world.instance.status?.conditions?.find((c) => c.type === 'VolumesChange');
  expect(change).toMatchObject({ status: 'False', message: expect.stringContaining('nowhere') });
  expect(world.instance.status?.migratedVolumes).toBeUndefined();
});
