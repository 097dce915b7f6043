// A start request on a Manual VM is forgotten while its disks are still imported (kubevirt PR 12016).
import { expect, test } from 'vitest';
import { createNamespace, dataVolumeTemplate, dataVolumeVolume, fill } from '../functions/vm/storage.ts';
import { NAMESPACE, World } from '../functions/vm/world.ts';

test('the request stays until there is a VMI that lives', () => {
  const world = World.withVm(
    { runStrategy: 'Manual', dataVolumeTemplates: [dataVolumeTemplate('disk')] },
    { volumes: [dataVolumeVolume('disk')] },
  );
  createNamespace(world, NAMESPACE);
  const request = { action: 'Start' };
  world.request(request);
  world.settle();
  fill(world, 'disk', 'Pending');
  world.settle();
  expect(world.status.stateChangeRequests).toEqual([request]);
  expect(world.maybeInstance).toBeUndefined();
  fill(world, 'disk', 'Succeeded');
  world.started();
  expect(world.status.stateChangeRequests).toBeUndefined();
  world.phase('Failed');
  world.request(request);
  world.settle();
  expect(world.status.stateChangeRequests).toEqual([request]);
});
