// An attachment pod was deleted before the node agent had unmounted its volume (KubeVirt PR 14998).
import { expect, test } from 'vitest';
import { attachmentPod, handedOver, runningPod, SERVING } from '../functions/vmi/fixtures.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

const left = (phase: string) =>
  worldOf(
    handedOver('Running', {
      status: {
        selinuxContext: 'none',
        volumeStatus: [{ name: 'extra', target: '', phase, hotplugVolume: { attachPodName: 'hp' } }],
      },
    }),
    runningPod(),
    attachmentPod('hp', ['extra'], 'Running', { status: SERVING }),
  );

test.each(['MountedToPod', 'Ready'])('the volume left the spec and is %s: pod and phase stay', (phase) => {
  const world = left(phase);
  world.settle();
  expect(world.hotplugPods).toHaveLength(1);
  expect(world.volume('extra')?.phase).toBe(phase);
});

test.each(['UnMountedFromPod', 'Detaching', 'AttachedToNode'])('it is %s: the pod goes', (phase) => {
  const world = left(phase);
  world.settle();
  expect(world.hotplugPods).toEqual([]);
  expect(world.volume('extra')).toBeUndefined();
});
