import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../functions/core/objects.ts';
import { handedOver, runningPod, vmi } from './fixtures.ts';
import { worldOf } from './worlds.ts';

const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('what counts as seen (vmi.md 2.2)', () => {
  test('vmi case 12: a pod that is first seen while it is being deleted is none that was created', () => {
    const world = worldOf(vmi('Pending'));
    world.cluster.holdWatch('Pod', 'blind');
    const [create] = world.pass().actions;
    if (create?.verb !== 'create') throw new Error('no pod is created');
    world.changePod(create.object as Pod, (p) => {
      p.metadata.deletionTimestamp = deleted.deletionTimestamp;
      p.spec.nodeName = 'node01';
    });
    expect(world.pass().type).toBe('stale');
    world.cluster.releaseWatch('Pod');
    world.settle();
    // It ends the VMI, and there is no second one.
    expect(world.status.phase).toBe('Failed');
    expect(world.pods).toHaveLength(1);
  });

  test('vmi case 14: a deletion is seen in two steps, and waited for once', () => {
    const world = worldOf(handedOver('Running', { metadata: deleted }), runningPod(), runningPod({ name: 'second' }));
    world.cluster.holdWatch('Pod', 'blind');
    world.pass();
    expect(world.pass()).toMatchObject({ type: 'stale', actions: [] });
    world.cluster.releaseWatch('Pod');
    expect(world.pods.every((p) => p.metadata.deletionTimestamp !== undefined)).toBe(true);
    expect(world.settle().type).toBe('done');
    for (const p of world.pods) {
      world.removePod(p);
      expect(world.settle().type).toBe('done');
    }
    expect(world.events.filter((e) => e === 'Normal SuccessfulDelete')).toHaveLength(2);
  });
});
