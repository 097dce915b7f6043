import { parentPort } from 'node:worker_threads';
import { runFault } from './loop-run.ts';
import type { Task, Verdict } from './pool.ts';
import { runSeed } from './seeded-run.ts';

async function run(task: Task): Promise<readonly string[]> {
  if (task.type === 'seed') return (await runSeed(task.seed)).result.violations;
  return (await runFault(task.scenario, task.fault, task.replicas)).violations;
}

parentPort?.on('message', (task: Task) => {
  void run(task)
    .catch((error: unknown) => [`the simulation itself failed: ${String(error)}`])
    .then((violations) => parentPort?.postMessage({ task, violations } satisfies Verdict));
});
