import type { VirtualMachineInstance } from '../../core/objects.ts';

/** User and group of everything that runs for a VMI without root. */
export const QEMU_USER = 107;

/** launcher-pod.md 4 "non-root". Admission sets `runtimeUser` unless gate `Root` is on. */
export function isNonRoot(vmi: VirtualMachineInstance): boolean {
  return vmi.metadata.annotations?.['kubevirt.io/nonroot'] !== undefined || (vmi.status?.runtimeUser ?? 0) !== 0;
}
