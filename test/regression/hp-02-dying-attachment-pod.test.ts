// An attachment pod that was being deleted was taken for the current one (KubeVirt PR 16159).
import { expect, test } from 'vitest';
import { attachmentPod, bound, handedOver, hotplug, runningPod, SERVING } from '../functions/vmi/fixtures.ts';
import type { Stored } from '../functions/vmi/world.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

const dying = { deletionTimestamp: '2026-12-01T00:00:00Z', creationTimestamp: '2026-12-01T00:00:00Z' };
const live = { creationTimestamp: '2026-11-01T00:00:00Z' };

const running = (...objects: Stored[]) =>
  worldOf(
    handedOver('Running', {
      spec: { domain: { devices: {} }, volumes: [hotplug('extra')] },
      status: { selinuxContext: 'none' },
    }),
    runningPod(),
    bound('extra'),
    ...objects,
  );

test('of two that match the live one is the current one, though it is the older', () => {
  const world = running(
    attachmentPod('live', ['extra'], 'Running', { metadata: live, status: SERVING }),
    attachmentPod('dying', ['extra'], 'Running', { metadata: dying, status: SERVING }),
  );
  world.settle();
  expect(world.volume('extra')?.hotplugVolume).toEqual({ attachPodName: 'live', attachPodUID: 'uid-live' });
  expect(world.hotplugPods.map((p) => p.metadata.name).sort()).toEqual(['dying', 'live']);
});

test('only a dying one: a new one is made', () => {
  const world = running(attachmentPod('dying', ['extra'], 'Running', { metadata: dying, status: SERVING }));
  world.settle();
  const made = world.hotplugPods.filter((p) => p.metadata.deletionTimestamp === undefined);
  expect(made).toHaveLength(1);
  expect(world.volume('extra')?.hotplugVolume?.attachPodName).toBe(made[0]?.metadata.name);
});
