import type { Pass } from '../pass.ts';
import { next, type Step } from '../step.ts';
import { startInstance } from './start-and-stop.ts';

/** Once (vm.md 5.7): a VMI is started where there is none, and left alone whatever becomes of it. */
export function followOnce(pass: Pass): Step {
  return pass.instance === undefined ? startInstance(pass) : next;
}
