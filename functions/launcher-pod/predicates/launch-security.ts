/** Predicates about confidential guests (launcher-pod.md 4). */
import type { VirtualMachineInstance } from '../../core/objects.ts';

/** SEV, SEV-SNP included. */
export function isSev(vmi: VirtualMachineInstance): boolean {
  return vmi.spec.domain.launchSecurity?.sev !== undefined || isSevSnp(vmi);
}

export function isSevEs(vmi: VirtualMachineInstance): boolean {
  return vmi.spec.domain.launchSecurity?.sev?.policy?.encryptedState === true;
}

export function isSevSnp(vmi: VirtualMachineInstance): boolean {
  return vmi.spec.domain.launchSecurity?.snp !== undefined;
}

export function isTdx(vmi: VirtualMachineInstance): boolean {
  return vmi.spec.domain.launchSecurity?.tdx !== undefined;
}

export function isSecureExecution(vmi: VirtualMachineInstance): boolean {
  return vmi.spec.domain.launchSecurity !== undefined && vmi.spec.architecture === 's390x';
}
