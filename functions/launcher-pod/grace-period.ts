import type { VirtualMachineInstance } from '../core/objects.ts';
import { type Reason, reason } from './reason.ts';

/** What the launcher needs on top, to end the guest and itself. */
const LAUNCHER_SECONDS = 30;

/** Time that the guest has to shut down; an explicit 0 is kept (launcher-pod.md 6). */
export function guestGracePeriodSeconds(vmi: VirtualMachineInstance): number {
  return vmi.spec.terminationGracePeriodSeconds ?? 30;
}

export function podGracePeriodSeconds(vmi: VirtualMachineInstance): number {
  return guestGracePeriodSeconds(vmi) + LAUNCHER_SECONDS;
}

export function gracePeriodReason(vmi: VirtualMachineInstance): Reason {
  const because = `${guestGracePeriodSeconds(vmi)} of the guest + ${LAUNCHER_SECONDS}`;
  return reason(['spec', 'terminationGracePeriodSeconds'], because);
}
