import type { VirtualMachine, VirtualMachineInstance } from '../core/objects.ts';
import { semanticallyEqual } from '../core/semantic-equal.ts';
import { writtenForm } from '../core/written-form/written-form.ts';
import type { Pass } from './pass.ts';
import { endPass, next, type Step, syncError } from './step.ts';

export type Spec = VirtualMachineInstance['spec'];

/** Step 12 of vm.md 4: from here on the VM is edited in a copy. */
export function beginEdits(pass: Pass): Step {
  pass.editCopy = pass.runSpec === undefined ? pass.vm : { ...pass.vm, spec: pass.runSpec };
  return next;
}

/** The template of the edit copy. */
export function editedTemplate({ editCopy }: Pass): Spec {
  return editCopy.spec.template?.spec ?? ({} as Spec);
}

export function editTemplate(pass: Pass, spec: Spec): void {
  const { editCopy } = pass;
  const template = { ...editCopy.spec.template, spec };
  pass.editCopy = { ...editCopy, spec: { ...editCopy.spec, template } };
}

export function editStatus(pass: Pass, status: VirtualMachine['status']): void {
  pass.editCopy = { ...pass.editCopy, status };
}

/** Step 21 of vm.md 4: an edited VM is written. It comes back with a new generation, so the pass ends here. */
export function writeEdits(pass: Pass): Step {
  const { editCopy, vm } = pass;
  if (isUnedited(vm, editCopy)) {
    pass.vm = editCopy;
    return next;
  }
  const failure = pass.attempt({ id: 'edit', verb: 'update', object: writtenForm({ ...editCopy, status: vm.status }) });
  return failure === undefined ? endPass : syncError('FailedUpdateError', `Updating the VM: ${failure.message}`);
}

function isUnedited(vm: VirtualMachine, edited: VirtualMachine): boolean {
  return (
    semanticallyEqual(vm.spec, edited.spec, 'VirtualMachineSpec') &&
    semanticallyEqual(vm.metadata, edited.metadata, 'ObjectMeta')
  );
}
