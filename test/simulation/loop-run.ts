import { type LoopName, loops, replicasIn } from './faults/loops.ts';
import { type Fault, singleFault } from './faults/single-fault.ts';
import { type SimulationResult, simulate } from './scenario/simulate-scenario.ts';
import { BEGIN_MS } from './world/virtual-time.ts';

/** All faults of a loop over a scenario: its places are those of a run without faults. */
export async function faultsOf(loop: LoopName, scenario: string): Promise<readonly Fault[]> {
  const { counts } = await simulate({ scenario, replicas: replicasIn(loop) });
  return loops[loop](counts);
}

/** One scenario with one fault. */
export function runFault(
  scenario: string,
  fault: Fault,
  replicas: number,
  writeTrace?: (line: string) => void,
): Promise<SimulationResult> {
  const toleratesEvents = fault.at === 'api' || fault.at === 'table';
  const quietMs = 20_000;
  const injector = singleFault(fault, BEGIN_MS);
  const trace = writeTrace === undefined ? {} : { writeTrace };
  return simulate({ scenario, injector, replicas, quietMs, toleratesEvents, ...trace });
}
