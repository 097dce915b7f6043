import { watchConflicts } from '../checks/conflicts.ts';
import { watchLauncherPods } from '../checks/launcher-pods.ts';
import { staysQuiet } from '../checks/quiet.ts';
import { watchTable } from '../checks/table.ts';
import { watchWire } from '../checks/wire.ts';
import { type Injector, noFaults } from '../faults/injector.ts';
import type { Places } from '../faults/places.ts';
import { World } from '../world/world.ts';
import { loadControllers } from './controllers.ts';
import { disturbedScenario } from './disturbed-scenario.ts';
import { passingStates } from './passing-states.ts';
import { goldenOf, type KubeClient, loadSuite, type State, type Suite, scenarioCourse } from './suite.ts';

export interface Simulation {
  readonly scenario: string;
  readonly seed?: number;
  readonly injector?: Injector;
  readonly replicas?: number;
  readonly slowestMs?: number;
  readonly coldStarts?: boolean;
  /** Virtual time after the scenario in which it may come to rest. */
  readonly restMs?: number;
  /** Virtual time after that in which nothing may be written; absent: that is not looked at. */
  readonly quietMs?: number;
  /** Whether hardly a write may be refused for its version; where nothing goes wrong that is so anyway. */
  readonly fewConflicts?: boolean;
  /** Whether events, and a VMI's earlier phases, are no difference: some come of injected errors, some are lost by them. */
  readonly ignoresHistory?: boolean;
  readonly writeTrace?: (line: string) => void;
}

export interface SimulationResult {
  /** Whatever is wrong; none: all is well. */
  readonly violations: readonly string[];
  /** What faults could strike while the scenario ran. */
  readonly places: Places;
  /** Virtual time that it took, milliseconds. */
  readonly tookMs: number;
}

/** Runs one scenario in one simulated world, and looks at every invariant. */
export async function simulate(simulation: Simulation): Promise<SimulationResult> {
  const suite = await loadSuite();
  const {
    scenario: name,
    seed = 1,
    injector = noFaults,
    ignoresHistory = false,
    fewConflicts = false,
    ...rest
  } = simulation;
  const { definitions } = suite;
  const world = new World({ seed, definitions, controllers: await loadControllers(), injector, ...rest });
  const violations: string[] = [];
  let places: Places = world.places;
  const isDisturbed = injector !== noFaults;
  const begun = world.time.now;
  Object.assign(suite.clock, { now: () => world.time.now, sleep: (ms: number) => world.time.sleep(ms) });
  const golden = goldenOf(name);
  const compared = ignoresHistory ? withoutHistory : (state: State) => state;
  const differ = (a: State, b: State) => suite.difference(compared(a), compared(b));
  const kube = userOf(world, suite);
  const scenario = isDisturbed
    ? disturbedScenario(suite, kube, name, golden, differ)
    : new suite.Scenario(kube, name, 'sim');
  const play = await scenarioCourse(name);
  try {
    await world.time.drive(world.start());
    watchLauncherPods(world);
    watchWire(world);
    watchTable(world);
    if (!isDisturbed || fewConflicts) watchConflicts(world);
    await world.time.drive(
      (async () => {
        await scenario.begin();
        await play(scenario);
      })(),
    );
    places = structuredClone(world.places);
    const { quietMs, restMs } = simulation;
    if (quietMs !== undefined)
      await world.time.drive(staysQuiet(world, { quietMs, ...(restMs !== undefined && { restMs }) }, violations));
  } catch (error) {
    violations.push(`the scenario failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  violations.push(...new Set(world.complaints));
  const isComparable = !isDisturbed || passingStates[name] === undefined;
  for (const [label, state] of isComparable ? Object.entries(golden) : [])
    violations.push(...differ(state, scenario.checkpoints[label] ?? {}).map((difference) => `${label} ${difference}`));
  for (const relay of world.relays)
    if (relay.refusals > 0) violations.push(`${relay.name} refused ${relay.refusals} actions`);
  return { violations, places, tookMs: world.time.now - begun };
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

/** What is told once, and what tells of the way to a state, without which it can be compared with another's. */
function withoutHistory(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutHistory);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'Events' && key !== 'phaseTransitionTimestamps');
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutHistory(member)]));
}
