/** VMI-08, pull request 2583 of KubeVirt: the condition PodScheduled=False was added again on each pass. */
import { expect, test } from 'vitest';
import { pod, vmi } from '../functions/vmi/fixtures.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

const scheduled = (conditions: readonly string[]) => conditions.filter((c) => c.startsWith('PodScheduled'));

test('VMI-08: a claim that is missing is told once', () => {
  const volumes = [{ name: 'd', persistentVolumeClaim: { claimName: 'missing' } }];
  const world = worldOf(vmi('Pending', { spec: { domain: { devices: {} }, volumes } }));
  world.pass();
  const before = world.vmi;
  for (let pass = 2; pass <= 3; pass++) {
    world.later(60_000);
    expect(world.pass().actions.filter((a) => a.verb !== 'event')).toEqual([]);
    expect(scheduled(world.conditions)).toEqual(['PodScheduled False Unschedulable']);
  }
  expect(world.vmi).toEqual(before);
});

test('VMI-08: so is a pod that no node will have', () => {
  const unschedulable = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' };
  const world = worldOf(vmi('Scheduling'), pod('Pending', { conditions: [unschedulable] }));
  world.settle();
  for (let pass = 2; pass <= 3; pass++) {
    world.later(60_000);
    expect(world.pass().actions).toEqual([]);
    expect(scheduled(world.conditions)).toEqual(['PodScheduled False Unschedulable']);
  }
});
