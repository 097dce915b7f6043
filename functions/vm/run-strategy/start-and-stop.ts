import type { Pass } from '../pass.ts';
import { start } from '../start.ts';
import { startDelayLeftSeconds } from '../start-failure.ts';
import { next, type Step, syncError } from '../step.ts';
import { stop } from '../stop.ts';

export function startInstance(pass: Pass): Step {
  const error = start(pass);
  return error === undefined ? next : syncError('FailedCreate', error);
}

/** Starts, unless failed starts hold it back (vm.md 12.6): then the pass comes again when the time is over. */
export function startAfterDelay(pass: Pass): Step {
  const seconds = startDelayLeftSeconds(pass.vm, pass.context.nowMs);
  if (seconds === 0) return startInstance(pass);
  pass.wakeUpAfterMs = seconds * 1000;
  return next;
}

export function stopInstance(pass: Pass): Step {
  const error = stop(pass);
  return error === undefined ? next : syncError('FailedDelete', error);
}
