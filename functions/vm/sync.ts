import { writtenForm } from '../core/written-form/written-form.ts';
import { importData } from './data-volumes/import-data.ts';
import { followDeletion } from './deletion.ts';
import { persistFirmwareUuid } from './firmware-uuid.ts';
import { bumpGeneration } from './generation.ts';
import { followInstancetypes } from './instancetype/follow.ts';
import type { Pass } from './pass.ts';
import { computeRestartRequired } from './restart-required.ts';
import { checkRunStrategy, followRunStrategy } from './run-strategy/follow.ts';
import { loadStartSpec } from './start-revision.ts';
import { endPass, next, type Step, syncError, toStatus } from './step.ts';
import { ensureFinalizer } from './vm-finalizer.ts';

/** The steps of vm.md chapter 4, by its numbers. */
const steps: readonly ((pass: Pass) => Step)[] = [
  waitForExpectations, // 1
  loadStartSpec, // 2
  followDeletion, // 3
  ensureFinalizer, // 4
  bumpGeneration, // 5
  checkRunStrategy, // 6
  followInstancetypes, // 7
  importData, // 8
  followRunStrategy, // 9
  computeRestartRequired, // 10
  waitForOwnWrites, // 11
  persistFirmwareUuid, // 14
  writeEdits, // 21
];

export function sync(pass: Pass): Step {
  for (const step of steps) {
    const result = step(pass);
    if (result.type !== 'next') return result;
  }
  return toStatus;
}

function waitForExpectations(pass: Pass): Step {
  return pass.openExpectation === undefined ? next : toStatus;
}

/** After a start, a stop or a new data volume in this pass the rest waits until it is seen. */
function waitForOwnWrites(pass: Pass): Step {
  return pass.makesExpectation ? toStatus : next;
}

/** Writes the VM as the steps have edited it. It comes back with a new generation, so the pass ends here. */
function writeEdits(pass: Pass): Step {
  if (pass.editedSpec === undefined) return next;
  const object = writtenForm({ ...pass.vm, spec: pass.editedSpec });
  const failure = pass.attempt({ id: 'edit', verb: 'update', object });
  return failure === undefined ? endPass : syncError('FailedUpdateError', `Updating the VM: ${failure.message}`);
}
