/** Finalizers of a VMI (vmi.md 8.1, 8.3). */
import { addFinalizer, hasFinalizer, removeFinalizer } from '../core/finalizers.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import { controllerOf } from '../core/owner.ts';
import { finalizer } from './names.ts';
import type { Pass } from './pass.ts';

/** The deprecated form becomes the current one, also on a VMI being deleted (vmi.md 8.1, step 1). */
export function renewForegroundFinalizer(vmi: VirtualMachineInstance): void {
  if (!hasFinalizer(vmi, finalizer.deprecatedForeground)) return;
  drop(vmi, finalizer.deprecatedForeground);
  vmi.metadata.finalizers = addFinalizer(vmi, finalizer.foreground).metadata.finalizers;
}

/** Both forms. */
export function removeForegroundFinalizers(vmi: VirtualMachineInstance): void {
  drop(vmi, finalizer.deprecatedForeground);
  drop(vmi, finalizer.foreground);
}

/** The VM controller's finalizer goes when there is no VM that would take it off. */
export function releaseFromGoneVirtualMachine(vmi: VirtualMachineInstance, pass: Pass): void {
  if (!isOwnerPresent(pass)) drop(vmi, finalizer.virtualMachineController);
}

function isOwnerPresent({ vmi, reads }: Pass): boolean {
  const owner = controllerOf(vmi);
  return owner?.kind === 'VirtualMachine' && reads.owner?.metadata.uid === owner.uid;
}

function drop(vmi: VirtualMachineInstance, name: string): void {
  vmi.metadata.finalizers = removeFinalizer(vmi, name).metadata.finalizers;
}
