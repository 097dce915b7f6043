import { uuidV5 } from '../core/digest.ts';
import { addOp, testOp } from '../core/json-patch.ts';
import { type Pass, refTo } from './pass.ts';
import { endPass, next, type Step, syncError } from './step.ts';

const NAMESPACE = '6a1a24a1-4061-4607-8bf4-a3963d0c5895';
const PATH = '/spec/template/spec/domain/firmware';

/** The firmware UUID of a VM that names none: the same for every VM of that name (vm.md 6.2). */
export function stableFirmwareUuid(vmName: string): string {
  return uuidV5(NAMESPACE, vmName);
}

/**
 * Writes the firmware UUID into a VM that has none (vm.md 6.2). The write raises the VM's generation, on which the status
 * depends, so the pass ends with it.
 */
export function persistFirmwareUuid(pass: Pass): Step {
  const { vm } = pass;
  const domain = vm.spec.template?.spec?.domain;
  // Nothing can be added below a member that is not there; as a failed request of the original's, this is tried at intervals.
  if (!domain) return syncError('FirmwareUUIDError', 'Writing the firmware UUID: the template has no domain');
  const { firmware } = domain;
  if (firmware?.uuid !== undefined && firmware.uuid !== '') return next;
  const failure = pass.attempt({
    id: 'firmware-uuid',
    verb: 'patch',
    target: refTo(vm),
    patch: {
      type: 'json',
      operations: [testOp(PATH, firmware), addOp(PATH, { ...firmware, uuid: stableFirmwareUuid(vm.metadata.name) })],
    },
  });
  return failure === undefined
    ? endPass
    : syncError('FirmwareUUIDError', `Writing the firmware UUID: ${failure.message}`);
}
