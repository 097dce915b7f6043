import { annotation } from '../names.ts';
import type { Pass } from '../pass.ts';
import { next, type Step, syncError } from '../step.ts';
import { startInstance } from './start-and-stop.ts';

/**
 * WaitAsReceiver (vm.md 5.8): a VMI that waits for a guest from another cluster. Once the guest is here, the VM gets the run
 * strategy that it had there, if it says which.
 */
export function followWaitAsReceiver(pass: Pass): Step {
  const { instance, vm } = pass;
  if (instance === undefined) return startInstance(pass);
  if (instance.metadata.annotations?.[annotation.createMigrationTarget] === 'true') return next;
  if (instance.status?.migrationState?.completed !== true) {
    return syncError('FailedCreate', 'There is a VMI already, and it does not wait for a migration');
  }
  const restored = vm.metadata.annotations?.[annotation.restoreRunStrategy];
  if (restored !== undefined && restored !== vm.spec.runStrategy) {
    pass.runSpec = { ...vm.spec, runStrategy: restored };
  }
  return next;
}
