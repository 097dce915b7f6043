import type { VirtualMachineInstance } from '../../core/objects.ts';

/** User and group of everything that runs for a VMI without root. */
export const QEMU_USER = 107;

const NON_ROOT_ANNOTATION = 'kubevirt.io/nonroot';

/** launcher-pod.md 4 "non-root". Admission sets `runtimeUser` unless gate `Root` is on. */
export function isNonRoot(vmi: VirtualMachineInstance): boolean {
  return vmi.metadata.annotations?.[NON_ROOT_ANNOTATION] !== undefined || (vmi.status?.runtimeUser ?? 0) !== 0;
}

/** What makes the VMI run as the user that it runs as. */
export function whyUser(vmi: VirtualMachineInstance): string {
  return vmi.metadata.annotations?.[NON_ROOT_ANNOTATION] === undefined
    ? `status.runtimeUser is ${vmi.status?.runtimeUser ?? 0}`
    : `annotation ${NON_ROOT_ANNOTATION}`;
}
