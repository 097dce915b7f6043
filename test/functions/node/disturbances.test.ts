import { describe, expect, test } from 'vitest';
import { testEachDisturbance } from '../model/disturbances.ts';
import { MINUTE_MS, RUNNING, World } from './world.ts';

/** A node that dies with three VMIs. Each step is what others do; the controller then gets so many passes as it needs. */
const steps: readonly ((world: World) => void)[] = [
  (world) => world.later(5 * MINUTE_MS + 1000),
  (world) => world.removePod('virt-launcher-b'),
  (world) => world.removeNode(),
  (world) => world.removePod('virt-launcher-c'),
];

function death(disturb: (world: World, step: number) => void): readonly unknown[] {
  const world = World.withNode({ beatAgeMs: 0, schedulable: 'true' });
  world.addAgent();
  for (const name of ['a', 'b', 'c']) world.addVmi(name, 'Running');
  for (const name of ['b', 'c']) world.addPod(name, { containers: [RUNNING] });
  return steps.map((act, step) => {
    act(world);
    disturb(world, step);
    world.settle();
    expect(world.settle().actions.filter((a) => a.verb !== 'event')).toEqual([]);
    return [step < 2 ? world.schedulable : 'gone', ...['a', 'b', 'c'].map((name) => world.state(name))];
  });
}

describe('one disturbed pass leads to the same end (design 8, invariant 2)', () => {
  const undisturbed = death(() => undefined);

  test('the death itself', () => {
    const failed = 'Failed NodeUnresponsive';
    expect(undisturbed).toEqual([
      ['false', failed, 'Running', 'Running'],
      ['false', failed, failed, 'Running'],
      ['gone', failed, failed, 'Running'],
      ['gone', failed, failed, failed],
    ]);
  });

  testEachDisturbance<World>(steps.length, death, undisturbed);

  test.each(['Pod', 'VirtualMachineInstance', 'Node'])('the watch of %s lags behind for some passes', (kind) => {
    for (const view of ['own-writes', 'blind'] as const) {
      const end = death((world) => {
        world.cluster.holdWatch(kind, view);
        for (let i = 0; i < 3; i++) world.pass();
        world.cluster.releaseWatch(kind);
      });
      expect(end).toEqual(undisturbed);
    }
  });

  test.each(['Pod', 'VirtualMachineInstance', 'Node'])('an older snapshot of %s changes nothing', (kind) => {
    const world = World.withNode({ beatAgeMs: 0, schedulable: 'true' });
    world.addAgent();
    world.addVmi('a', 'Running');
    world.addPod('a', { containers: [RUNNING] });
    world.cluster.holdWatch(kind);
    world.later(6 * MINUTE_MS);
    world.beat();
    world.changeVmi('a', (vmi) => (vmi.metadata.labels = { 'kubevirt.io/nodeName': 'n2' }));
    world.pass();
    world.pass();
    expect(world.state('a')).toBe('Running');
  });
});
