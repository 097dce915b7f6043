/** Runs tasks on all processors: each worker has worlds of its own, one at a time. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Fault } from './faults/single-fault.ts';

export type Task =
  | { readonly type: 'seed'; readonly seed: number }
  | { readonly type: 'fault'; readonly scenario: string; readonly fault: Fault; readonly replicas: number };

export interface Verdict {
  readonly task: Task;
  readonly violations: readonly string[];
}

/** Calls `onVerdict` for each task as it is done; resolves when all are. */
export async function runAll(tasks: readonly Task[], onVerdict: (verdict: Verdict) => void): Promise<void> {
  const queue = tasks[Symbol.iterator]();
  const workers = Math.min(tasks.length, availableParallelism());
  await Promise.all(Array.from({ length: workers }, () => work(queue, onVerdict)));
}

function work(queue: Iterator<Task>, onVerdict: (verdict: Verdict) => void): Promise<void> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    const give = () => {
      const next = queue.next();
      if (next.done === true) void worker.terminate().then(() => resolve());
      else worker.postMessage(next.value);
    };
    worker.on('message', (verdict: Verdict) => {
      onVerdict(verdict);
      give();
    });
    worker.once('error', reject);
    give();
  });
}
