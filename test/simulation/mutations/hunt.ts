import { type LoopName, loops, replicasIn } from '../faults/loops.ts';
import type { Fault } from '../faults/single-fault.ts';
import { LoopFaults, runFault } from '../loop-run.ts';
import { simulate } from '../scenario/simulate-scenario.ts';
import { runSeed } from '../seeded-run.ts';
import type { Runs } from './mutations.ts';

export interface Finding {
  /** How to see it again; `undefined`: nothing was found. */
  readonly run?: string;
  readonly violation?: string;
}

const MINUTE_MS = 60_000;

/** Does those runs until something is found. */
export async function look({ scenario, loop, what }: Runs): Promise<Finding> {
  if (loop === undefined) {
    const { violations } = await simulate({ scenario, quietMs: MINUTE_MS });
    return violations[0] === undefined ? {} : { run: `--scenario ${scenario}`, violation: violations[0] };
  }
  for (const fault of await new LoopFaults(loop).of(scenario)) {
    if (what !== undefined && nameOf(fault) !== what) continue;
    const { violations } = await runFault(scenario, fault, replicasIn(loop));
    if (violations[0] !== undefined)
      return { run: `--scenario ${scenario} --fault '${JSON.stringify(fault)}'`, violation: violations[0] };
  }
  return {};
}

function nameOf(fault: Fault): string {
  return 'fault' in fault ? fault.fault.what : fault.at;
}

/** Small scenarios that between them start, stop and replace guests. */
const scenarios = ['vmi/lifecycle', 'vm/restart'];
const SEEDS = 60;

/** For a defect of which it is not known yet what finds it: everything, the cheapest first. */
export async function hunt(): Promise<Finding> {
  for (const scenario of scenarios)
    for (const loop of [undefined, ...(Object.keys(loops) as LoopName[])]) {
      const found = await look({ scenario, ...(loop !== undefined && { loop }) });
      if (found.run !== undefined) return found;
    }
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { violations } = (await runSeed(seed)).result;
    if (violations[0] !== undefined) return { run: `--seed ${seed}`, violation: violations[0] };
  }
  return {};
}
