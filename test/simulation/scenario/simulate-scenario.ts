import { watchLauncherPods } from '../checks/launcher-pods.ts';
import { staysQuiet } from '../checks/quiet.ts';
import { watchWire } from '../checks/wire.ts';
import { type Injector, noFaults } from '../faults/injector.ts';
import { World } from '../world/world.ts';
import { loadControllers } from './controllers.ts';
import { type Course, disturbedScenario } from './disturbed-scenario.ts';
import { goldenOf, type KubeClient, loadSuite, type State, type Suite, scenarioCourse } from './suite.ts';

export interface Simulation {
  readonly scenario: string;
  readonly seed?: number;
  readonly injector?: Injector;
  readonly replicas?: number;
  readonly slowestMs?: number;
  readonly coldStarts?: boolean;
  /** Virtual time after the scenario in which nothing may be written; absent: that is not looked at. */
  readonly quietMs?: number;
  /** Whether extra events are no difference: those that tell of injected errors. */
  readonly toleratesEvents?: boolean;
  readonly writeTrace?: (line: string) => void;
}

export interface SimulationResult {
  /** Whatever is wrong; none: all is well. */
  readonly violations: readonly string[];
  readonly counts: World['counts'];
  /** Virtual time that it took, milliseconds. */
  readonly tookMs: number;
}

/** Runs one scenario in one simulated world, and looks at every invariant. */
export async function simulate(simulation: Simulation): Promise<SimulationResult> {
  const suite = await loadSuite();
  const { scenario: name, seed = 1, injector = noFaults, toleratesEvents = false, ...rest } = simulation;
  const { definitions } = suite;
  const world = new World({ seed, definitions, controllers: await loadControllers(), injector, ...rest });
  const violations: string[] = [];
  const isDisturbed = injector !== noFaults;
  const begun = world.time.now;
  Object.assign(suite.clock, { now: () => world.time.now, sleep: (ms: number) => world.time.sleep(ms) });
  const golden = goldenOf(name);
  const differ = (a: State, b: State) => suite.difference(toleratesEvents ? withoutExtraEvents(a, b) : a, b);
  const kube = userOf(world, suite);
  const course: Course = isDisturbed
    ? disturbedScenario(suite, kube, name, golden, differ)
    : { scenario: new suite.Scenario(kube, name, 'sim'), differences: [] };
  const { scenario } = course;
  const play = await scenarioCourse(name);
  try {
    await world.time.drive(world.start());
    watchLauncherPods(world);
    watchWire(world);
    await world.time.drive(
      (async () => {
        await scenario.begin();
        await play(scenario);
      })(),
    );
    const before = { ...world.counts };
    if (simulation.quietMs !== undefined) await world.time.drive(staysQuiet(world, simulation.quietMs, violations));
    Object.assign(world.counts, before);
  } catch (error) {
    violations.push(`the scenario failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  violations.push(...new Set(world.complaints));
  if (isDisturbed) violations.push(...course.differences);
  else
    for (const [label, state] of Object.entries(golden))
      violations.push(...suite.difference(state, scenario.checkpoints[label]).map((d) => `${label} ${d}`));
  for (const relay of world.relays)
    if (relay.refusals > 0) violations.push(`${relay.name} refused ${relay.refusals} actions`);
  return { violations, counts: world.counts, tookMs: world.time.now - begun };
}

/** The scenario's way to the API server. */
function userOf(world: World, { ApiError }: Suite): KubeClient {
  return {
    request: async (method, path, body, contentType) => {
      await world.time.sleep(1);
      // Callers change what they get, and what they gave.
      const sent = body === undefined ? {} : { body: structuredClone(body) };
      const response = world.serve('user', { method, path, ...sent, ...(contentType && { contentType }) });
      if (response.status >= 400) throw new ApiError(response.status, response.body, `${method} ${path}`);
      // Lists are only read; what is got by its name is changed and put back.
      return method === 'GET' && 'items' in (response.body as object) ? response.body : structuredClone(response.body);
    },
  };
}

/** Golden with those events added that the actual state has beside its own. */
function withoutExtraEvents(golden: State, actual: State): State {
  const events = [...new Set([...(golden['Events'] as string[]), ...(actual['Events'] as string[])])].sort();
  return { ...golden, Events: events };
}
