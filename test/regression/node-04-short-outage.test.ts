// A short outage of the agent flipped the schedulable label, and kubelet killed guests (KubeVirt issue 11843).
import { expect, test } from 'vitest';
import { MINUTE_MS, NODE, World } from '../functions/node/world.ts';

const patches = (world: World) => world.pass().actions.filter((a) => a.verb === 'patch').length;

test('an agent that is away for less than five minutes costs nothing', () => {
  const world = World.withNode({ beatAgeMs: 0, schedulable: 'true' });
  for (let minute = 0; minute < 5; minute++) {
    world.later(MINUTE_MS);
    expect(patches(world)).toBe(0);
  }
  world.beat();
  world.later(5 * MINUTE_MS);
  expect(patches(world)).toBe(0);
  expect(world.schedulable).toBe('true');
});

test('the age of the heartbeat takes the node out of scheduling, once, and only the agent puts it back', () => {
  const world = World.withNode({ beatAgeMs: 0, schedulable: 'true' });
  let written = 0;
  for (let minute = 0; minute < 20; minute++) {
    world.later(MINUTE_MS);
    written += patches(world);
  }
  expect(written).toBe(1);
  expect(world.schedulable).toBe('false');
  world.beat();
  expect(patches(world)).toBe(0);
  expect(world.schedulable).toBe('true');
});

test('neither a label that others set to false nor a node without a heartbeat is touched', () => {
  for (const traits of [{ beatAgeMs: 0 }, { beatAgeMs: null, schedulable: 'true' }]) {
    const world = World.withNode(traits);
    const before = world.node;
    world.settle();
    expect(world.node).toEqual(before);
  }
});

test('a heartbeat that cannot be read: no write, and no look before something changes', () => {
  const world = World.withNode({ beatAgeMs: 'not a time', schedulable: 'true' });
  expect(world.pass()).toEqual({ type: 'done', actions: [] });
  expect(world.node.metadata.name).toBe(NODE);
});
