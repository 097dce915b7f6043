// A VMI was not failed because a pod whose containers had all ended still counted as alive (KubeVirt PR 3595).
import { expect, test } from 'vitest';
import { OLD, RUNNING, TERMINATED, World } from '../functions/node/world.ts';

function unresponsive(): World {
  const world = World.withNode({ beatAgeMs: OLD });
  world.addAgent();
  world.addVmi('a', 'Running');
  return world;
}

test('a pending pod whose containers have all terminated does not keep its VMI', () => {
  const world = unresponsive();
  world.addPod('a', { phase: 'Pending', containers: [TERMINATED, TERMINATED] });
  world.settle();
  expect(world.state('a')).toBe('Failed NodeUnresponsive');
});

test('one whose compute container runs does, until that ends', () => {
  const world = unresponsive();
  world.addPod('a', { containers: [RUNNING, TERMINATED], deleted: true });
  world.settle();
  expect(world.state('a')).toBe('Running');
  world.changePod('virt-launcher-a', 'default', (pod) => {
    for (const c of pod.status?.containerStatuses ?? []) c.state = TERMINATED;
  });
  world.settle();
  expect(world.state('a')).toBe('Failed NodeUnresponsive');
});
