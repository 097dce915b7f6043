import type { Pass } from '../pass.ts';
import { hardError, next, type Step, syncError } from '../step.ts';
import { followAlways } from './always.ts';
import { effectiveRunStrategy } from './effective.ts';
import { followHalted } from './halted.ts';
import { followManual } from './manual.ts';
import { followOnce } from './once.ts';
import { followRerunOnFailure } from './rerun-on-failure.ts';
import { followWaitAsReceiver } from './wait-as-receiver.ts';

/** Run strategy (vm.md 4, step 6): with both fields set nothing more is done. */
export function checkRunStrategy(pass: Pass): Step {
  return effectiveRunStrategy(pass.vm).type === 'invalid' ? hardError('both running and runStrategy are set') : next;
}

/** Starts and stops by the run strategy (vm.md 4, step 9). */
export function followRunStrategy(pass: Pass): Step {
  const strategy = effectiveRunStrategy(pass.vm);
  const name = strategy.type === 'strategy' ? strategy.name : '';
  switch (name) {
    case 'Always':
      return followAlways(pass);
    case 'RerunOnFailure':
      return followRerunOnFailure(pass);
    case 'Manual':
      return followManual(pass);
    case 'Halted':
      return followHalted(pass);
    case 'Once':
      return followOnce(pass);
    case 'WaitAsReceiver':
      return followWaitAsReceiver(pass);
    default:
      return syncError('FailedCreate', `Unknown run strategy: ${JSON.stringify(name)}`);
  }
}
