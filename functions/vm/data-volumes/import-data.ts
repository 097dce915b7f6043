import type { Pass } from '../pass.ts';
import { effectiveRunStrategy } from '../run-strategy/effective.ts';
import { next, type Step, syncError, toStatus } from '../step.ts';
import { ensureDataVolumes } from './ensure-data-volumes.ts';

const IMMEDIATE = 'kubevirt.io/immediate-data-volume-creation';

/**
 * Step 8 of vm.md 4: data volumes are made before the VM is started, unless it asks to have them made at its start. Until they
 * are ready a VM is neither started nor stopped, but for a halted one.
 */
export function importData(pass: Pass): Step {
  if (pass.vm.metadata.annotations?.[IMMEDIATE] === 'false') return next;
  const ensured = ensureDataVolumes(pass);
  if (ensured.type === 'error') return syncError('FailedCreate', ensured.message);
  if (ensured.type === 'ready') return next;
  const strategy = effectiveRunStrategy(pass.vm);
  return strategy.type === 'strategy' && strategy.name === 'Halted' ? next : toStatus;
}
