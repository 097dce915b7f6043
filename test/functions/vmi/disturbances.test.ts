import { describe, expect, test } from 'vitest';
import { testEachDisturbance } from '../model/disturbances.ts';
import { container, RUNNING, vmi } from './fixtures.ts';
import type { World } from './world.ts';
import { worldOf } from './worlds.ts';

/** A whole life. Each step is what others do; the controller then gets so many passes as it needs. */
const steps: readonly ((world: World) => void)[] = [
  () => undefined,
  (world) =>
    world.changePod(world.pod, (p) => {
      p.spec.nodeName = 'node01';
      p.status = { ...p.status, phase: 'Running', containerStatuses: [container('compute', true, RUNNING)] };
    }),
  (world) => world.changeVmi((v) => (v.status = { ...v.status, phase: 'Running', evacuationNodeName: 'node01' })),
  (world) => world.changeVmi((v) => (v.metadata.deletionTimestamp = '2027-01-01T00:00:00Z')),
  (world) => world.removePod(world.pod),
];

/** What is left after each step, without what differs between any two runs. */
function live(disturb: (world: World, step: number) => void): readonly unknown[] {
  const instance = vmi('', {
    spec: { domain: { devices: {} }, volumes: [{ name: 'b', containerDisk: { image: 'i' } }] },
  });
  delete instance.metadata.annotations;
  const world = worldOf(instance);
  return steps.map((act, step) => {
    act(world);
    disturb(world, step);
    world.settle();
    expect(world.pods.length).toBeLessThanOrEqual(1);
    return {
      phase: world.hasVmi ? world.status.phase : 'gone',
      conditions: world.hasVmi ? world.conditions : [],
      pods: world.pods.map((p) => ({
        labels: p.metadata.labels,
        annotations: p.metadata.annotations,
        conditions: p.status?.conditions?.map((c) => c.type),
      })),
      isPodDying: world.pods.some((p) => p.metadata.deletionTimestamp !== undefined),
    };
  });
}

describe('one disturbed pass leads to the same end (design 8, invariant 2)', () => {
  const undisturbed = live(() => undefined);

  test('the life itself', () => {
    expect(undisturbed).toMatchObject([
      { phase: 'Scheduling' },
      { phase: 'Scheduled' },
      { phase: 'Running' },
      { phase: 'Running', isPodDying: true },
      { phase: 'gone' },
    ]);
  });

  testEachDisturbance<World>(steps.length, live, undisturbed);

  test.each(['own-writes', 'blind'] as const)('the watch of pods lags behind for some passes: %s', (view) => {
    const end = live((world) => {
      world.cluster.holdWatch('Pod', view);
      for (let i = 0; i < 3; i++) world.pass();
      world.cluster.releaseWatch('Pod');
    });
    expect(end).toEqual(undisturbed);
  });
});
