import { requiredScenarios } from '../conformance/suite.ts';
import { drawWeather, randomFaults, type Weather } from './faults/random-faults.ts';
import { type Simulation, type SimulationResult, simulate } from './scenario/simulate-scenario.ts';
import { SeededRandom } from './world/random.ts';
import { BEGIN_MS } from './world/virtual-time.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How many runs look for an hour whether anything is written; it takes as long as twenty without. */
const QUIET_FOR_AN_HOUR = 0.1;

export interface SeededRun {
  readonly scenario: string;
  readonly weather: Weather;
  readonly result: SimulationResult;
}

/** One run whose scenario, surroundings and faults all follow from a seed. */
export async function runSeed(seed: number, writeTrace?: (line: string) => void): Promise<SeededRun> {
  const random = new SeededRandom(seed);
  const scenario = random.pick(requiredScenarios()) ?? '';
  const weather = drawWeather(random);
  writeTrace?.(`seed ${seed}: ${scenario} ${JSON.stringify(weather)}`);
  const simulation: Simulation = {
    scenario,
    seed,
    injector: randomFaults(random, weather, BEGIN_MS),
    replicas: random.between(1, 2),
    slowestMs: random.pick([1, 10, 100]),
    coldStarts: random.chance(0.5),
    restMs: 4 * MINUTE_MS,
    quietMs: random.chance(QUIET_FOR_AN_HOUR) ? HOUR_MS : MINUTE_MS,
    ignoresHistory: true,
    ...(writeTrace !== undefined && { writeTrace }),
  };
  return { scenario, weather, result: await simulate(simulation) };
}
