import { REST_MS } from './checks/quiet.ts';
import { type Choice, type LoopName, loops, replicasIn } from './faults/loops.ts';
import { allOfThem, fewOfEach, type Places } from './faults/places.ts';
import { type Fault, singleFault } from './faults/single-fault.ts';
import { type SimulationResult, simulate } from './scenario/simulate-scenario.ts';
import { BEGIN_MS } from './world/virtual-time.ts';

/** The faults of one loop over scenarios, one scenario after the other. */
export class LoopFaults {
  readonly #loop: LoopName;
  readonly #all: boolean;
  readonly #choices = new Map<string, Choice>();

  /** `all`: at all places of a run without faults; else at a few of those that are alike. */
  constructor(loop: LoopName, all = false) {
    this.#loop = loop;
    this.#all = all;
  }

  async of(scenario: string): Promise<readonly Fault[]> {
    return loops[this.#loop](
      await placesIn(scenario, replicasIn(this.#loop)),
      this.#all ? allOfThem : this.#choiceOf(scenario),
    );
  }

  /**
   * A controller's scenarios share most of what happens in them: what is alike in one is alike in all, and struck where it
   * comes first.
   * Surroundings are of a whole scenario; those about pods differ in the pods alone, which no fault is about.
   */
  #choiceOf(scenario: string): Choice {
    const about = scenario.slice(0, scenario.indexOf('/'));
    const group = this.#loop === 'surroundings' && about !== 'pod' ? scenario : about;
    const choice = this.#choices.get(group) ?? fewOfEach();
    this.#choices.set(group, choice);
    return choice;
  }
}

const passed = new Map<string, Promise<SimulationResult>>();

/** The places of a run in which nothing goes wrong; loops share it. */
async function placesIn(scenario: string, replicas: number): Promise<Places> {
  const key = `${scenario} ${replicas}`;
  const run = passed.get(key) ?? simulate({ scenario, replicas });
  passed.set(key, run);
  return (await run).places;
}

/** One scenario with one fault. */
export function runFault(
  scenario: string,
  fault: Fault,
  replicas: number,
  writeTrace?: (line: string) => void,
): Promise<SimulationResult> {
  const ignoresHistory = isTold(fault);
  // What a partition held up begins when it is over.
  const restMs = REST_MS + (fault.at === 'partition' ? fault.fromMs + fault.forMs + REST_MS : 0);
  const quietMs = 20_000;
  const injector = singleFault(fault, BEGIN_MS);
  const trace = writeTrace === undefined ? {} : { writeTrace };
  return simulate({
    scenario,
    injector,
    replicas,
    restMs,
    quietMs,
    ignoresHistory,
    fewConflicts: fault.at === 'lag',
    ...trace,
  });
}

/** Whether it is right that a fault shows in events, or costs some: a refusal is told of, a late view meets one, an end loses some. */
function isTold(fault: Fault): boolean {
  switch (fault.at) {
    case 'api':
    case 'table':
    case 'lag':
      return true;
    case 'delivery':
      return fault.fault.what === 'sender-killed';
    case 'watch-event':
      return fault.fault.what !== 'doubled';
    case 'partition':
    case 'skew':
      return false;
  }
}
