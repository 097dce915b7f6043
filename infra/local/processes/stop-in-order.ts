import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './identity.ts';
import { type Stage, stages } from './stages.ts';

/** A process to be ended, with its process group where it leads one. */
export interface Target extends ProcessIdentity {
  readonly stage: Stage;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number;
}

const pollMs = 25;

/**
 * Ends all targets, stage after stage (stages.ts): SIGTERM to the process, after its grace SIGKILL to its whole group.
 * Returns when none runs any more. A target that has already ended is passed over.
 */
export async function stopInOrder(targets: readonly Target[]): Promise<void> {
  for (const stage of stages) {
    await Promise.all(targets.filter((target) => target.stage === stage).map(stop));
  }
}

async function stop(target: Target): Promise<void> {
  if (!isRunning(target)) return;
  signal(target.pid, 'SIGTERM');
  const deadline = performance.now() + target.graceMs;
  while (isRunning(target)) {
    if (performance.now() >= deadline) {
      signal(-target.pid, 'SIGKILL');
      signal(target.pid, 'SIGKILL');
    }
    await sleep(pollMs);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
