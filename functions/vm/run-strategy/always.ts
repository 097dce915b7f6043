import { decentralizedMigration, isFinal } from '../instance-state.ts';
import type { Pass } from '../pass.ts';
import { isStopRequested } from '../state-change-requests.ts';
import { next, type Step } from '../step.ts';
import { haltedSpec } from './halted.ts';
import { startAfterDelay, stopInstance } from './start-and-stop.ts';

const MIGRATION_WAIT_MS = 2000;

/** Always (vm.md 5.3): there is a VMI that runs; one that has ended is replaced. */
export function followAlways(pass: Pass): Step {
  const { instance, vm } = pass;
  if (instance === undefined) return startAfterDelay(pass);
  if (!isStopRequested(vm, instance) && !isFinal(instance)) return next;
  switch (decentralizedMigration(instance)) {
    case 'completed':
      // The guest runs elsewhere now: this VM must not start it again.
      pass.runSpec = haltedSpec(vm);
      return next;
    case 'going-on':
      pass.wakeUpAfterMs = MIGRATION_WAIT_MS;
      return next;
    case 'none':
      return stopInstance(pass);
  }
}
