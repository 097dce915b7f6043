import { addOp } from '../../core/json-patch.ts';
import { isBeingDeleted, isFinal } from '../instance-state.ts';
import { type Pass, refTo } from '../pass.ts';
import { isStartRequested, isStopRequested } from '../state-change-requests.ts';
import { next, type Step, syncError } from '../step.ts';
import { startAfterDelay, stopInstance } from './start-and-stop.ts';

/** RerunOnFailure (vm.md 5.4): started once, and again after a failure; a guest that ended well stays ended. */
export function followRerunOnFailure(pass: Pass): Step {
  const { instance, vm } = pass;
  if (instance === undefined) {
    const neverStarted = vm.status?.runStrategy !== 'RerunOnFailure';
    return isStartRequested(vm) || neverStarted ? startAfterDelay(pass) : next;
  }
  if (isBeingDeleted(instance) || (!isFinal(instance) && !isStopRequested(vm, instance))) return next;
  if (instance.status?.phase !== 'Failed') return stopInstance(pass);
  const error = requestStart(pass);
  return error ?? stopInstance(pass);
}

/**
 * Asks for the start that is to follow the failed VMI. This goes before the deletion (the original asks after it): a pass
 * that is cut short between the two would else have stopped for good.
 */
function requestStart(pass: Pass): Step | undefined {
  const { vm } = pass;
  const old = vm.status?.stateChangeRequests ?? [];
  if (old.some((r) => r.action === 'Start')) return undefined;
  const stateChangeRequests = [...old, { action: 'Start' }];
  const failure = pass.attempt({
    id: 'request-start',
    verb: 'patch',
    subresource: 'status',
    target: refTo(vm),
    patch: { type: 'json', operations: [addOp('/status/stateChangeRequests', stateChangeRequests)] },
  });
  if (failure !== undefined) return syncError('FailedDelete', `Requesting the next start: ${failure.message}`);
  pass.vm = { ...vm, status: { ...vm.status, stateChangeRequests } };
  return undefined;
}
