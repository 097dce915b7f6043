import type { VirtualMachineInstance } from '../core/objects.ts';

/**
 * What a VMI needs that this controller does not do. No pod is made for such a VMI, rather than one without what it asked
 * for: it stays Pending and its condition `Synchronized` says why.
 */
export function unservedNeeds(vmi: VirtualMachineInstance): readonly string[] {
  return needsBackendStorage(vmi) ? ['backend storage (persistent TPM or EFI, changed block tracking)'] : [];
}

/** vmi.md 9.1. */
function needsBackendStorage(vmi: VirtualMachineInstance): boolean {
  const tpm = vmi.spec.domain.devices?.tpm;
  const tracking = vmi.status?.changedBlockTracking?.state;
  return (
    (tpm !== undefined && tpm.enabled !== false && tpm.persistent === true) ||
    vmi.spec.domain.firmware?.bootloader?.efi?.persistent === true ||
    tracking === 'Initializing' ||
    tracking === 'Enabled'
  );
}
