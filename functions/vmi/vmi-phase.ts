/** Phases of a VMI and what they mean here (vmi.md 1.3). */
import type { VirtualMachineInstance } from '../core/objects.ts';
import { annotation, label } from './names.ts';

export function phaseOf(vmi: VirtualMachineInstance): string {
  return vmi.status?.phase ?? '';
}

/** Unset or Pending: no launcher pod was seen yet. */
export function isUnprocessed(vmi: VirtualMachineInstance): boolean {
  return phaseOf(vmi) === '' || phaseOf(vmi) === 'Pending';
}

export function isFinal(vmi: VirtualMachineInstance): boolean {
  return phaseOf(vmi) === 'Succeeded' || phaseOf(vmi) === 'Failed';
}

/** Scheduled or Running: virt-handler owns the object. */
export function isHandedOver(vmi: VirtualMachineInstance): boolean {
  return phaseOf(vmi) === 'Scheduled' || phaseOf(vmi) === 'Running';
}

export function isBeingDeleted(object: { readonly metadata: { readonly deletionTimestamp?: string } }): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** The target of a decentralized migration. */
export function isReceiver(vmi: VirtualMachineInstance): boolean {
  return vmi.metadata.annotations?.[annotation.createMigrationTarget] === 'true';
}

/** A receiver that waits until both sides are synchronized. */
export function awaitsSynchronization(vmi: VirtualMachineInstance): boolean {
  return isReceiver(vmi) && vmi.metadata.labels?.[label.migrationTargetNodeName] === undefined;
}
