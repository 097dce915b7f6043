/**
 * `npm run simulate`:
 *
 *   -- --seeds 1..10000                        runs drawn from each seed
 *   -- --seed N [--trace]                      one of them, told step by step
 *   -- --loops [--scenario TEXT] [--all]       single faults over all scenarios, or those whose name contains the text: at the first
 *                                              places of each kind that are alike, or at all places
 *   -- --scenario NAME --fault JSON [--trace]  one of them
 *   -- --scenario NAME [--trace]               a scenario in which nothing goes wrong
 *
 * Ends with 1 when a run breaks an invariant, with 2 when it could not run.
 */
import { parseArgs } from 'node:util';
import { requiredScenarios, suiteFolder, suiteIsHere } from '../conformance/suite.ts';
import { type LoopName, loops, replicasIn } from './faults/loops.ts';
import type { Fault } from './faults/single-fault.ts';
import { LoopFaults, runFault } from './loop-run.ts';
import { runAll, type Task } from './pool.ts';
import { simulate } from './scenario/simulate-scenario.ts';
import { runSeed } from './seeded-run.ts';

function fail(message: string): never {
  process.stderr.write(`simulate: ${message}\n`);
  process.exit(2);
}

function options() {
  try {
    return parseArgs({
      options: {
        seeds: { type: 'string' },
        seed: { type: 'string' },
        loops: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        scenario: { type: 'string' },
        fault: { type: 'string' },
        replicas: { type: 'string', default: '2' },
        trace: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const write = (line: string): void => void process.stdout.write(`${line}\n`);

function report(violations: readonly string[], what: string): void {
  for (const violation of violations) write(`  ${violation}`);
  write(`${violations.length === 0 ? 'ok  ' : 'FAIL'} ${what}`);
}

function seedsIn(text: string): readonly Task[] {
  const [, from = '', to = from] = /^(\d+)(?:\.\.(\d+))?$/.exec(text) ?? fail(`--seeds ${text}: not FROM..TO`);
  const [first, last] = [Number(from), Number(to)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => ({ type: 'seed', seed: first + i }));
}

async function allFaults(text: string, all: boolean): Promise<readonly Task[]> {
  const tasks: Task[] = [];
  for (const loop of Object.keys(loops) as LoopName[]) {
    const faults = new LoopFaults(loop, all);
    for (const scenario of requiredScenarios().filter((name) => name.includes(text)))
      for (const fault of await faults.of(scenario))
        tasks.push({ type: 'fault', scenario, fault, replicas: replicasIn(loop) });
  }
  return tasks;
}

/** Runs, where nobody looks at a screen. */
const TOLD_EVERY = 500;

function howToRepeat(task: Task): string {
  if (task.type === 'seed') return `--seed ${task.seed} --trace`;
  const { scenario, fault, replicas } = task;
  return `--scenario ${scenario} --replicas ${replicas} --fault '${JSON.stringify(fault)}' --trace`;
}

async function runMany(tasks: readonly Task[]): Promise<boolean> {
  let [done, failed] = [0, 0];
  const begun = performance.now();
  await runAll(tasks, ({ task, violations }) => {
    done++;
    if (violations.length > 0) {
      failed++;
      report(violations.slice(0, 10), howToRepeat(task));
    }
    const told = `${done} of ${tasks.length}, ${failed} failed`;
    if (process.stderr.isTTY) process.stderr.write(`\r${told} `);
    else if (done % TOLD_EVERY === 0) process.stderr.write(`${told}\n`);
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  write(`${done} runs in ${seconds} s: ${done - failed} passed, ${failed} failed`);
  return failed === 0 && done > 0;
}

const { seeds, seed, loops: allLoops, all, scenario, fault, replicas, trace } = options();
if (!suiteIsHere()) fail(`the scenarios are not on this machine (${suiteFolder})`);
const writeTrace = trace ? write : undefined;
if (seeds !== undefined) {
  process.exit((await runMany(seedsIn(seeds))) ? 0 : 1);
} else if (seed !== undefined) {
  const run = await runSeed(Number(seed), writeTrace);
  report(run.result.violations, `seed ${seed}: ${run.scenario}`);
  process.exit(run.result.violations.length === 0 ? 0 : 1);
} else if (allLoops) {
  process.exit((await runMany(await allFaults(scenario ?? '', all))) ? 0 : 1);
} else if (scenario !== undefined) {
  const run =
    fault === undefined
      ? simulate({ scenario, quietMs: 3_600_000, ...(writeTrace && { writeTrace }) })
      : runFault(scenario, JSON.parse(fault) as Fault, Number(replicas), writeTrace);
  const { violations } = await run;
  report(violations, scenario);
  process.exit(violations.length === 0 ? 0 : 1);
} else fail('say --seeds FROM..TO, --seed N, --loops or --scenario NAME');
