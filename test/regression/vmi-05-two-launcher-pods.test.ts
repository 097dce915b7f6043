/** VMI-05, issue 837 of KubeVirt: a pod that was created and not seen yet was doubled, or taken for a foreign one. */
import { expect, test } from 'vitest';
import { vmi } from '../functions/vmi/fixtures.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

test('VMI-05: no second pod while the first is not seen; seen, it is ours', () => {
  const world = worldOf(vmi('Pending'));
  world.cluster.holdWatch('Pod', 'blind');
  world.pass();
  for (let i = 0; i < 3; i++) expect(world.pass()).toMatchObject({ type: 'stale', actions: [] });
  world.cluster.releaseWatch('Pod');
  const { name } = world.pod.metadata;
  world.settle();
  expect(world.pod.metadata).toMatchObject({ name });
  expect(world.pod.metadata).not.toHaveProperty('deletionTimestamp');
});

test.each<['answer' | 'report']>([['answer'], ['report']])('VMI-05: one pod though the %s is lost', (lost) => {
  const world = worldOf(vmi('Pending'));
  world.cluster.holdWatch('Pod', 'blind');
  world.pass(lost === 'answer' ? { answerLost: true } : { reportLost: true });
  world.pass();
  world.pass();
  world.cluster.releaseWatch('Pod');
  world.settle();
  expect(world.pods).toHaveLength(1);
});

test('VMI-05: delivered twice at once, both decide for the same pod', () => {
  const first = worldOf(vmi('Pending'));
  const second = worldOf(vmi('Pending'));
  first.pass();
  second.pass();
  expect(first.pod.metadata.name).toBe(second.pod.metadata.name);
});
