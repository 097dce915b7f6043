// Two VMIs that swapped disks which only one node can mount waited for each other: an old attachment pod was kept as a fallback
// though none of its volumes was needed (KubeVirt PR 18045).
import { expect, test } from 'vitest';
import { attachmentPod, bound, handedOver, hotplug, runningPod } from '../functions/vmi/fixtures.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

/** `old` holds disk-x, `new` is to hold disk-y and waits for the other VMI to let go of it. */
function swapping(volumes: readonly string[], phaseOfX: string) {
  return worldOf(
    handedOver('Running', {
      spec: { domain: { devices: {} }, volumes: volumes.map(hotplug) },
      status: {
        selinuxContext: 'none',
        volumeStatus: [{ name: 'disk-x', target: '', phase: phaseOfX, hotplugVolume: { attachPodName: 'old' } }],
      },
    }),
    runningPod(),
    bound('disk-x'),
    bound('disk-y'),
    attachmentPod('old', ['disk-x'], 'Running', { metadata: { creationTimestamp: '2026-11-01T00:00:00Z' } }),
    attachmentPod('new', volumes, 'Pending', { metadata: { creationTimestamp: '2026-12-01T00:00:00Z' } }),
  );
}
const names = (world: ReturnType<typeof swapping>) => world.hotplugPods.map((p) => p.metadata.name).sort();

test('the old pod holds nothing that is needed: it goes, though the new one does not run yet', () => {
  const world = swapping(['disk-y'], 'Detaching');
  world.settle();
  expect(names(world)).toEqual(['new']);
});

test('it holds a volume that is still wanted: kept', () => {
  const world = swapping(['disk-x', 'disk-y'], 'Ready');
  world.settle();
  expect(names(world)).toEqual(['new', 'old']);
});

test.each(['Ready', 'MountedToPod'])('it holds a volume that is still %s: kept', (phase) => {
  const world = swapping(['disk-y'], phase);
  world.settle();
  expect(names(world)).toEqual(['new', 'old']);
});
