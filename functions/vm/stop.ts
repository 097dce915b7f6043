import { isBeingDeleted } from './instance-state.ts';
import { intent, type Pass, refTo } from './pass.ts';
import { withoutRestartRequired } from './restart-required.ts';

/** Deletes the VMI, unless it is gone or going (vm.md 5.11). Returns the text of an error. */
export function stop(pass: Pass): string | undefined {
  const { instance } = pass;
  if (instance === undefined || isBeingDeleted(instance)) return undefined;
  const { name, uid = '', resourceVersion = '' } = instance.metadata;
  const failure = pass.attempt({
    id: intent.deleteInstance,
    verb: 'delete',
    target: refTo(instance),
    uid,
    resourceVersion,
    expect: true,
  });
  if (failure !== undefined) {
    pass.event('Warning', 'FailedDelete', `Error deleting virtual machine instance ${name}: ${failure.message}`);
    return `Failure while stopping the VMI: ${failure.message}`;
  }
  pass.vm = withoutRestartRequired(pass.vm);
  pass.event('Normal', 'SuccessfulDelete', `Stopped the virtual machine by deleting virtual machine instance ${uid}`);
  return undefined;
}
