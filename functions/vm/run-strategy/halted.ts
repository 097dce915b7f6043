import type { VirtualMachine } from '../../core/objects.ts';
import { writtenForm } from '../../core/written-form/written-form.ts';
import type { Pass } from '../pass.ts';
import { isStartRequested } from '../state-change-requests.ts';
import { endPass, next, type Step, syncError } from '../step.ts';
import { stopInstance } from './start-and-stop.ts';

/** Halted (vm.md 5.6): there is no VMI. A start request turns the VM to Always, and stays for the pass that starts it. */
export function followHalted(pass: Pass): Step {
  const { vm } = pass;
  if (pass.instance !== undefined) return stopInstance(pass);
  if (!isStartRequested(vm)) return next;
  const spec = hasRunStrategy(vm) ? { ...vm.spec, runStrategy: 'Always' } : { ...vm.spec, running: true };
  const failure = pass.attempt({ id: 'run', verb: 'update', object: writtenForm({ ...vm, spec }) });
  return failure === undefined ? endPass : syncError('FailedCreate', `Setting the VM to run: ${failure.message}`);
}

/** The spec with which the VM is halted, by the field that it uses: with both it would be invalid (vm.md 5.1). */
export function haltedSpec(vm: VirtualMachine): VirtualMachine['spec'] {
  return hasRunStrategy(vm) ? { ...vm.spec, runStrategy: 'Halted' } : { ...vm.spec, running: false };
}

function hasRunStrategy({ spec }: VirtualMachine): boolean {
  return spec.runStrategy !== undefined && spec.runStrategy !== null;
}
