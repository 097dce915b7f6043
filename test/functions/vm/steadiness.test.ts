import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Disturbance } from '../model/driver.ts';
import { FINALIZER, templateWithoutUuid, World } from './world.ts';

type Strategy = 'Always' | 'Halted' | 'Manual' | 'RerunOnFailure' | 'Once' | 'WaitAsReceiver';
type Stimulus =
  | { readonly type: 'strategy'; readonly strategy: Strategy }
  | { readonly type: 'phase'; readonly phase: string }
  | { readonly type: 'request'; readonly actions: readonly ('Start' | 'Stop')[] }
  | { readonly type: 'template'; readonly hostname: string }
  | { readonly type: 'delete-vmi' | 'delete-vm' | 'time' };

const strategy = fc.constantFrom<Strategy>('Always', 'Halted', 'Manual', 'RerunOnFailure', 'Once', 'WaitAsReceiver');
const stimulus: fc.Arbitrary<Stimulus> = fc.oneof(
  fc.record({ type: fc.constant('strategy' as const), strategy }),
  fc.record({
    type: fc.constant('phase' as const),
    phase: fc.constantFrom('Scheduling', 'Running', 'Failed', 'Succeeded'),
  }),
  fc.record({
    type: fc.constant('request' as const),
    actions: fc.array(fc.constantFrom<'Start' | 'Stop'>('Start', 'Stop'), { maxLength: 2 }),
  }),
  fc.record({ type: fc.constant('template' as const), hostname: fc.constantFrom('a', 'b') }),
  fc.record({ type: fc.constantFrom('delete-vmi' as const, 'delete-vm' as const, 'time' as const) }),
);

/** What an outsider does. */
function happen(world: World, { ...s }: Stimulus): void {
  if (world.maybeVm === undefined) return;
  const { maybeInstance } = world;
  switch (s.type) {
    case 'strategy':
      return world.changeVm((vm) => {
        vm.spec.runStrategy = s.strategy;
      });
    case 'phase':
      if (maybeInstance !== undefined && !isFinal(maybeInstance.status?.phase)) world.phase(s.phase);
      return;
    case 'request':
      return world.request(
        ...s.actions.map((action) => ({
          action,
          ...(action === 'Stop' ? { uid: maybeInstance?.metadata.uid ?? 'x' } : {}),
        })),
      );
    case 'template':
      return world.changeVm((vm) => {
        vm.spec.template.spec = { ...templateWithoutUuid(), ...vm.spec.template.spec, hostname: s.hostname };
      });
    case 'delete-vmi':
      if (maybeInstance !== undefined) world.deleteInstance();
      return;
    case 'delete-vm':
      return world.deleteVm();
    case 'time':
      world.cluster.nowMs += 60_000;
  }
}

function isFinal(phase: string | undefined): boolean {
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
function essence(world: World): unknown {
  const { maybeVm, maybeInstance, revisions } = world;
  const lastSeen = maybeInstance === undefined ? ['desiredGeneration', 'observedGeneration'] : [];
  const ignored = new Set([...CHANCE, ...lastSeen]);
  const text = JSON.stringify([maybeVm ?? null, maybeInstance ?? null, revisions], (k, v: unknown) =>
    ignored.has(k) ? undefined : v,
  );
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[48][0-9a-f-]{17,}/g, 'uid'));
}

test('whatever happens: it comes to rest, with one VMI at most and none that nobody holds', () => {
  fc.assert(
    fc.property(strategy, fc.array(stimulus, { maxLength: 8 }), (first, stimuli) => {
      const world = World.withNewVm({ runStrategy: first }, templateWithoutUuid());
      world.settle();
      for (const s of stimuli) {
        happen(world, s);
        world.settle();
        const { maybeInstance } = world;
        if (maybeInstance === undefined || world.maybeVm === undefined) continue;
        expect(maybeInstance.metadata.ownerReferences).toEqual([world.reference()]);
        if (!isFinal(maybeInstance.status?.phase)) expect(maybeInstance.metadata.finalizers).toContain(FINALIZER);
      }
    }),
    { numRuns: 150 },
  );
});

type Trouble = { readonly disturbance: Disturbance; readonly lagging?: string };

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  fc.nat({ max: 5 }).map((limit) => ({ disturbance: { limit } })),
  fc.constant({ disturbance: { answerLost: true } }),
  fc.constant({ disturbance: { reportLost: true } }),
  fc
    .constantFrom('VirtualMachine', 'VirtualMachineInstance', 'ControllerRevision')
    .map((lagging) => ({ disturbance: {}, lagging })),
);

test('action lists cut anywhere, answers and reports lost, watches lagging: the same end', () => {
  fc.assert(
    fc.property(
      strategy,
      fc.array(fc.tuple(stimulus, fc.array(trouble, { maxLength: 4 })), { maxLength: 5 }),
      (first, course) => {
        const [smooth, rough] = [0, 1].map(() => World.withNewVm({ runStrategy: first }, templateWithoutUuid()));
        if (smooth === undefined || rough === undefined) return;
        rough.cluster.nowMs = smooth.cluster.nowMs;
        for (const world of [smooth, rough]) world.settle();
        for (const [s, troubles] of course) {
          happen(smooth, s);
          happen(rough, s);
          for (const { disturbance, lagging } of troubles) {
            if (lagging !== undefined)
              rough.cluster.holdWatch(lagging, lagging === 'VirtualMachine' ? 'own-writes' : 'blind');
            rough.pass(disturbance);
          }
          for (const { lagging } of troubles) if (lagging !== undefined) rough.cluster.releaseWatch(lagging);
          smooth.settle();
          rough.settle();
          expect(essence(rough)).toEqual(essence(smooth));
        }
      },
    ),
    { numRuns: 150 },
  );
});
