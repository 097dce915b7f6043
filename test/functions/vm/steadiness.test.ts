import fc from 'fast-check';
import { isFinal, testSteadiness } from './steadiness.ts';
import { templateWithoutUuid, World } from './world.ts';

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

testSteadiness({
  stimulus,
  begin: strategy.map((runStrategy) => () => World.withNewVm({ runStrategy }, templateWithoutUuid())),
  happen,
  kinds: ['VirtualMachine', 'VirtualMachineInstance', 'ControllerRevision'],
});
