import type { VirtualMachineInstance } from '../core/objects.ts';

/** Time that the guest has to shut down; an explicit 0 is kept (launcher-pod.md 6). */
export function guestGracePeriodSeconds(vmi: VirtualMachineInstance): number {
  return vmi.spec.terminationGracePeriodSeconds ?? 30;
}
