import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Disturbance } from '../model/driver.ts';
import { FINALIZER, type World } from './world.ts';

/** A kind of world, and what an outsider may do to it. */
export interface Course<S> {
  readonly stimulus: fc.Arbitrary<S>;
  readonly begin: fc.Arbitrary<() => World>;
  readonly happen: (world: World, stimulus: S) => void;
  /** Kinds whose watches may lag. */
  readonly kinds: readonly string[];
  /** Further objects whose end counts. */
  readonly also?: readonly string[];
}

export function isFinal(phase: string | undefined): boolean {
  return phase === 'Failed' || phase === 'Succeeded';
}

const CHANCE = new Set([
  'resourceVersion',
  'uid',
  'lastFailedVMIUID',
  'retryAfterTimestamp',
  'lastTransitionTime',
  'message',
]);

/**
 * What must not depend on how the passes went: all but versions, uids, times and texts. Without a VMI the generations are what
 * was last seen of it, and a VMI that nothing holds vanishes with its deletion, seen once more or not.
 */
function essence(world: World, also: readonly string[]): unknown {
  const { maybeVm, maybeInstance, revisions, cluster } = world;
  const lastSeen = maybeInstance === undefined ? ['desiredGeneration', 'observedGeneration'] : [];
  const ignored = new Set([...CHANCE, ...lastSeen]);
  const others = also.flatMap((kind) => cluster.cached(kind));
  const text = JSON.stringify([maybeVm ?? null, maybeInstance ?? null, revisions, others], (k, v: unknown) =>
    ignored.has(k) ? undefined : v,
  );
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f-]{17,}/g, 'uid'));
}

interface Trouble {
  readonly disturbance: Disturbance;
  readonly lagging?: string;
}

function troubleWith(kinds: readonly string[]): fc.Arbitrary<Trouble> {
  return fc.oneof(
    fc.nat({ max: 8 }).map((limit) => ({ disturbance: { limit } })),
    fc.constant({ disturbance: { answerLost: true } }),
    fc.constant({ disturbance: { reportLost: true } }),
    fc.constantFrom(...kinds).map((lagging) => ({ disturbance: {}, lagging })),
  );
}

/** Tests the two properties of design 8, invariants 1 and 2, over courses of events. */
export function testSteadiness<S>({ stimulus, begin, happen, kinds, also = [] }: Course<S>, numRuns = 150): void {
  test('whatever happens: it comes to rest, with one VMI at most and none that nobody holds', () => {
    fc.assert(
      fc.property(begin, fc.array(stimulus, { maxLength: 8 }), (make, stimuli) => {
        const world = make();
        world.settle();
        for (const s of stimuli) {
          if (world.maybeVm !== undefined) happen(world, s);
          world.settle();
          const { maybeInstance } = world;
          if (maybeInstance === undefined || world.maybeVm === undefined) continue;
          expect(maybeInstance.metadata.ownerReferences).toEqual([world.reference()]);
          if (!isFinal(maybeInstance.status?.phase)) expect(maybeInstance.metadata.finalizers).toContain(FINALIZER);
        }
      }),
      { numRuns },
    );
  });

  test('action lists cut anywhere, answers and reports lost, watches lagging: the same end', () => {
    const events = fc.array(fc.tuple(stimulus, fc.array(troubleWith(kinds), { maxLength: 4 })), { maxLength: 5 });
    fc.assert(
      fc.property(begin, events, (make, course) => {
        const [smooth, rough] = [make(), make()];
        rough.cluster.nowMs = smooth.cluster.nowMs;
        for (const world of [smooth, rough]) world.settle();
        for (const [s, troubles] of course) {
          for (const world of [smooth, rough]) if (world.maybeVm !== undefined) happen(world, s);
          disturb(rough, troubles);
          smooth.settle();
          rough.settle();
          expect(essence(rough, also)).toEqual(essence(smooth, also));
        }
      }),
      { numRuns },
    );
  });
}

function disturb(world: World, troubles: readonly Trouble[]): void {
  for (const { disturbance, lagging } of troubles) {
    if (lagging !== undefined) {
      world.cluster.holdWatch(lagging, lagging === 'VirtualMachine' ? 'own-writes' : 'blind');
    }
    world.pass(disturbance);
  }
  for (const { lagging } of troubles) if (lagging !== undefined) world.cluster.releaseWatch(lagging);
}
