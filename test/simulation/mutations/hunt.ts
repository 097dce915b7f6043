import { type LoopName, loops, replicasIn } from '../faults/loops.ts';
import { LoopFaults, runFault } from '../loop-run.ts';
import { simulate } from '../scenario/simulate-scenario.ts';
import { runSeed } from '../seeded-run.ts';

export interface Finding {
  /** How to see it again; `undefined`: nothing was found. */
  readonly run?: string;
  readonly violation?: string;
}

/** Small scenarios that between them start, stop and replace guests. */
const scenarios = ['vm/restart', 'vmi/lifecycle'];
/** Every so many faults of a loop is tried, so that all kinds come up soon. */
const STRIDE = 7;
const SEEDS = 60;

/** Runs what is most likely to find a defect first: nothing going wrong, samples of the loops, then seeds. */
export async function hunt(): Promise<Finding> {
  for (const scenario of scenarios) {
    const { violations } = await simulate({ scenario, quietMs: 60_000 });
    if (violations[0] !== undefined) return { run: `--scenario ${scenario}`, violation: violations[0] };
  }
  for (const scenario of scenarios)
    for (const loop of Object.keys(loops) as LoopName[]) {
      const faults = await new LoopFaults(loop).of(scenario);
      for (const fault of faults.filter((_, i) => i % STRIDE === 0)) {
        const { violations } = await runFault(scenario, fault, replicasIn(loop));
        if (violations[0] !== undefined)
          return { run: `--scenario ${scenario} --fault '${JSON.stringify(fault)}'`, violation: violations[0] };
      }
    }
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { violations } = (await runSeed(seed)).result;
    if (violations[0] !== undefined) return { run: `--seed ${seed}`, violation: violations[0] };
  }
  return {};
}
