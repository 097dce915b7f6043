// A halted VM is not stopped while one of its data volumes is unfinished (kubevirt PR 5349).
import { expect, test } from 'vitest';
import {
  createDataVolume,
  createNamespace,
  dataVolumeTemplate,
  dataVolumeVolume,
  fill,
} from '../functions/vm/storage.ts';
import { NAMESPACE, World } from '../functions/vm/world.ts';

test('the VMI goes, whatever the data volumes do', () => {
  const world = World.withVm(
    { runStrategy: 'Always', dataVolumeTemplates: [dataVolumeTemplate('disk')] },
    { volumes: [dataVolumeVolume('disk')] },
  );
  createNamespace(world, NAMESPACE);
  createDataVolume(world, 'disk', { owners: [world.reference()] });
  world.started();
  fill(world, 'disk', 'ImportInProgress');
  world.changeVm((vm) => {
    vm.spec.runStrategy = 'Halted';
  });
  world.settle();
  expect(world.instance.metadata.deletionTimestamp).toBeDefined();
  expect(world.eventReasons).toContain('SuccessfulDelete');
});
