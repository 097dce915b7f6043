import type { Pass } from '../pass.ts';
import { isStartRequested, isStopRequested } from '../state-change-requests.ts';
import { next, type Step } from '../step.ts';
import { startInstance, stopInstance } from './start-and-stop.ts';

/** Manual (vm.md 5.5): only requests start and stop; a VMI that has ended stays. */
export function followManual(pass: Pass): Step {
  const { instance, vm } = pass;
  if (instance === undefined) return isStartRequested(vm) ? startInstance(pass) : next;
  return isStopRequested(vm, instance) ? stopInstance(pass) : next;
}
