/**
 * Every process of a stack bears in its environment which stack it belongs to, and its stage. So what a crash has left
 * running is found exactly, whoever started it, with no list to keep that a crash could cut short.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isRunning } from './identity.ts';
import { type Stage, stages } from './stages.ts';
import { stopInOrder, type Target } from './stop-in-order.ts';

const STACK = 'VIRT_FUNCTIONS_STACK';
const STAGE = 'VIRT_FUNCTIONS_STAGE';
const GUARD = 'guard';

const graceMs = 10_000;
const pollMs = 50;
/** Against hangs only: a guard ends when the longest patience with each stage is over. */
const guardLimitMs = 3 * 60_000;

/** From now on what this process starts belongs to the stack that keeps its data in that folder. */
export function belongToStack(data: string): void {
  process.env[STACK] = data;
}

/** What a process of that stage has in its environment besides the rest. */
export function stageMark(stage: Stage | typeof GUARD): Readonly<Record<string, string>> {
  return { [STAGE]: stage };
}

/**
 * Ends what an earlier stack on these data has left running. Its guard, if it lives, is given the time to do that itself.
 *
 * To be called by the holder of the stack's lock only: whatever is found then belongs to nobody.
 *
 * @param waiting called once if there is something to be ended
 */
export async function endLeftovers(data: string, waiting: (count: number) => void): Promise<void> {
  const found = leftovers(data);
  if (found.length === 0) return;
  waiting(found.length);
  const deadline = performance.now() + guardLimitMs;
  const guards = found.filter((target) => target.stage === GUARD);
  while (guards.some(isRunning) && performance.now() < deadline) await sleep(pollMs);
  await stopInOrder(leftovers(data).map((target) => ({ ...target, stage: asStage(target.stage) })));
}

type Leftover = Omit<Target, 'stage'> & { readonly stage: string };

function leftovers(data: string): Leftover[] {
  const own = [process.pid, process.ppid];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && !own.includes(pid))
    .flatMap((pid) => {
      const environment = environmentOf(pid);
      if (!environment.includes(`${STACK}=${data}`)) return [];
      const identity = identityOf(pid);
      const stage = environment.find((entry) => entry.startsWith(`${STAGE}=`))?.slice(STAGE.length + 1);
      return identity ? [{ ...identity, stage: stage ?? 'command', graceMs }] : [];
    });
}

/** Empty for processes of other users. */
function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function asStage(text: string): Stage {
  return stages.find((stage) => stage === text) ?? 'command';
}
