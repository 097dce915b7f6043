import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PersistentVolumeClaim as ClaimKind } from '../../../functions/core/kinds.ts';
import type { Pod } from '../../../functions/core/objects.ts';
import { attachedBy } from '../../../functions/vmi/hotplug/attachment-pods.ts';
import { bound, handedOver, hotplug, runningPod, SERVING } from './fixtures.ts';
import { World } from './world.ts';

const NAMES = ['a', 'b', 'c'] as const;

/** What others do to volumes of a running VMI. `at`: which attachment pod, counted around. */
type Step =
  | { readonly type: 'plug' | 'unplug' | 'claim' | 'unclaim' | 'release'; readonly name: string }
  | { readonly type: 'tell'; readonly name: string; readonly phase: string }
  | { readonly type: 'run' | 'fail' | 'vanish'; readonly at: number };

function newWorld(): World {
  return new World(
    handedOver('Running', {
      spec: { domain: { devices: {} }, volumes: [] },
      status: { selinuxContext: 'none' },
    }),
    runningPod(),
    ...NAMES.map((name) => bound(name)),
  );
}

function podAt(world: World, at: number): Pod | undefined {
  return world.hotplugPods[at % Math.max(1, world.hotplugPods.length)];
}

function act(world: World, step: Step): void {
  switch (step.type) {
    case 'plug':
      return world.changeVmi((v) => {
        if (!v.spec.volumes?.some((volume) => volume.name === step.name)) v.spec.volumes?.push(hotplug(step.name));
      });
    case 'unplug':
      return world.changeVmi((v) => (v.spec.volumes = v.spec.volumes?.filter(({ name }) => name !== step.name)));
    case 'claim':
      return world.put(bound(step.name));
    case 'unclaim':
      if (world.cluster.get(ClaimKind, step.name, 'default') === undefined) return;
      return world.cluster.delete(ClaimKind, step.name, 'default');
    case 'release':
      return world.changeVmi((v) => {
        const isWanted = v.spec.volumes?.some(({ name }) => name === step.name) === true;
        for (const e of v.status?.volumeStatus ?? []) {
          if (e.name === step.name && !isWanted && (e.phase as string) !== 'Detaching')
            e.phase = 'UnMountedFromPod' as never;
        }
      });
    case 'tell':
      // A node agent mounts only what is attached.
      return world.changeVmi((v) => {
        for (const e of v.status?.volumeStatus ?? []) {
          if (e.name === step.name && e.hotplugVolume?.attachPodUID !== undefined) e.phase = step.phase as never;
        }
      });
    case 'run':
    case 'fail': {
      const pod = podAt(world, step.at);
      if (pod === undefined) return;
      return world.changePod(pod, (p) => {
        p.spec.nodeName = 'node01';
        p.status =
          step.type === 'run' ? { ...p.status, phase: 'Running', ...SERVING } : { ...p.status, phase: 'Failed' };
      });
    }
    case 'vanish': {
      const pod = podAt(world, step.at);
      if (pod !== undefined) world.removePod(pod);
    }
  }
}

const name = fc.constantFrom(...NAMES);
const at = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constantFrom('plug' as const, 'unplug' as const), name }),
  fc.record({ type: fc.constantFrom('claim' as const, 'unclaim' as const, 'release' as const), name }),
  fc.record({ type: fc.constant('tell' as const), name, phase: fc.constantFrom('MountedToPod', 'Ready') }),
  fc.record({ type: fc.constantFrom('run' as const, 'run' as const, 'fail' as const, 'vanish' as const), at }),
);

/** Everything gets better: claims are there, pods run, the agent lets go of what nobody wants. */
function heal(world: World): void {
  for (let i = 0; i < 4; i++) {
    for (const n of NAMES) {
      if (world.cluster.get(ClaimKind, n, 'default') === undefined) world.put(bound(n));
      act(world, { type: 'release', name: n });
    }
    for (const [i] of world.hotplugPods.entries()) act(world, { type: 'run', at: i });
    world.later(60_000);
    world.settle();
  }
}

/** At rest one pod attaches just what the spec names, and the status says so. */
function expectInOrder(world: World): void {
  const wanted = (world.vmi.spec.volumes ?? []).map((v) => v.name).sort();
  expect(world.hotplugPods.map((p) => [...attachedBy(p)].sort())).toEqual(wanted.length === 0 ? [] : [wanted]);
  expect((world.status.volumeStatus ?? []).map((v) => v.name)).toEqual(wanted);
  for (const entry of world.status.volumeStatus ?? []) {
    expect(entry.hotplugVolume).toEqual({
      attachPodName: world.hotplugPod.metadata.name,
      attachPodUID: world.hotplugPod.metadata.uid,
    });
  }
}

/** Plays steps, each until nothing is written any more, and heals in the end. */
function play(...steps: readonly Step[]): World {
  const world = newWorld();
  for (const s of steps) {
    act(world, s);
    world.settle();
    expect(world.pass().actions.filter((a) => a.verb !== 'event')).toEqual([]);
    expect(world.hotplugPods.length).toBeLessThanOrEqual(NAMES.length + 1);
  }
  heal(world);
  expectInOrder(world);
  return world;
}

describe('hotplug comes to rest, and to what the spec says', () => {
  test('several at once', () => {
    play({ type: 'plug', name: 'a' }, { type: 'plug', name: 'b' }, { type: 'plug', name: 'c' });
  });

  test.each(['fail', 'vanish'] as const)('an attachment pod dies: %s', (type) => {
    play(
      { type: 'plug', name: 'a' },
      { type: 'run', at: 0 },
      { type: 'tell', name: 'a', phase: 'Ready' },
      { type, at: 0 },
    );
  });

  test('a claim is deleted under a volume', () => {
    play(
      { type: 'plug', name: 'a' },
      { type: 'run', at: 0 },
      { type: 'tell', name: 'a', phase: 'Ready' },
      { type: 'unclaim', name: 'a' },
      { type: 'plug', name: 'b' },
    );
  });

  test('a volume is taken out while it is being attached', () => {
    play({ type: 'plug', name: 'a' }, { type: 'unplug', name: 'a' });
    play(
      { type: 'plug', name: 'a' },
      { type: 'plug', name: 'b' },
      { type: 'unplug', name: 'a' },
      { type: 'plug', name: 'a' },
    );
  });

  test('whatever others do, in whatever order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        play(...steps);
      }),
      { numRuns: 150 },
    );
  });
});
