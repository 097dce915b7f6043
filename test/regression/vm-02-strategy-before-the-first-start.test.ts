// A RerunOnFailure VM with a data volume never leaves Provisioning: its strategy was in the status before it was ever started
// (kubevirt PR 12193).
import { expect, test } from 'vitest';
import { createNamespace, dataVolumeTemplate, dataVolumeVolume, fill } from '../functions/vm/storage.ts';
import { NAMESPACE, World } from '../functions/vm/world.ts';

test('the strategy enters the status with the VMI, not before', () => {
  const world = World.withVm(
    { runStrategy: 'RerunOnFailure', dataVolumeTemplates: [dataVolumeTemplate('disk')] },
    { volumes: [dataVolumeVolume('disk')] },
  );
  createNamespace(world, NAMESPACE);
  world.settle();
  fill(world, 'disk', 'ImportInProgress');
  world.settle();
  expect(world.status).toMatchObject({ printableStatus: 'Provisioning' });
  expect(world.status.runStrategy).toBeUndefined();
  fill(world, 'disk', 'Succeeded');
  world.settle();
  expect(world.maybeInstance).toBeDefined();
  expect(world.status).toMatchObject({ created: true, runStrategy: 'RerunOnFailure' });
});
