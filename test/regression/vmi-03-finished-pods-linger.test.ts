/** VMI-03, pull request 13870 of KubeVirt: finished launcher pods that were being deleted lingered and blocked a restart. */
import { describe, expect, test } from 'vitest';
import { handedOver, pod, runningPod, vmi } from '../functions/vmi/fixtures.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('VMI-03: pods of a VMI that is being deleted', () => {
  test.each(['Succeeded', 'Failed'])('one that is %s and being deleted is deleted again', (phase) => {
    const world = worldOf(vmi('Failed', { metadata: deleted }), pod(phase, { metadata: deleted }));
    expect(world.pass().actions.filter((a) => a.verb === 'delete')).toHaveLength(1);
    expect(world.pods).toEqual([]);
  });

  test('that it is gone meanwhile is no failure', () => {
    const world = worldOf(vmi('Failed', { metadata: deleted }), pod('Succeeded', { metadata: deleted }));
    world.refuse(`delete pod ${world.pod.metadata.uid}`, 404, 'not found');
    world.pass();
    expect(world.pass().type).toBe('done');
    expect(world.events.filter((e) => e.startsWith('Warning'))).toEqual([]);
  });

  test('one that runs and is being deleted is left alone', () => {
    const world = worldOf(handedOver('Running', { metadata: deleted }), runningPod({ metadata: deleted }));
    expect(world.pass().actions.filter((a) => a.verb === 'delete')).toEqual([]);
  });
});
