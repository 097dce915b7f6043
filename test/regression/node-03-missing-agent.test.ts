// VMIs on a node without an agent went unnoticed (KubeVirt PR 4952).
import { expect, test } from 'vitest';
import { MINUTE_MS, RUNNING, World } from '../functions/node/world.ts';

const WARNING = 'Node/n1 Warning NodeUnresponsive';

function orphaned(desired: number, scheduled: number, ready: number): World {
  const world = World.withNode({ schedulable: 'true' });
  world.addVmi('a', 'Running');
  world.addPod('a', { containers: [RUNNING] });
  world.addAgentSet(desired, scheduled, ready);
  return world;
}

test('one Warning in a pass where the DaemonSet is whole and the node has no agent', () => {
  const world = orphaned(1, 1, 1);
  world.settle();
  expect(world.events.filter((e) => e === WARNING)).toHaveLength(1);
  expect(world.state('a')).toBe('Running');
});

test('none while the DaemonSet is being rolled out, but a look a minute later', () => {
  const world = orphaned(3, 2, 2);
  expect(world.settle()).toMatchObject({ type: 'requeue-after', afterMs: MINUTE_MS });
  expect(world.events).not.toContain(WARNING);
});

// The known fault asks for no Warning where either count differs; node.md case 30 says both must, and it is right: with all
// pods scheduled and none here, this node gets none, whatever the pods of other nodes do.
test('a DaemonSet that is scheduled everywhere and not ready somewhere is no roll-out', () => {
  const world = orphaned(3, 3, 2);
  world.settle();
  expect(world.events).toContain(WARNING);
});
