import type { VirtualMachineInstance } from '../../core/objects.ts';
import { hasPersistentEfi, hasPersistentTpm } from '../../rules/backend-storage/need.ts';

/**
 * The copy of a VMI that the stand-in for the source pod of a decentralized migration is rendered from: without TPM and EFI
 * state, so that no claim is needed for them (launcher-pod.md 16.4).
 */
export function standInVmi(vmi: VirtualMachineInstance): VirtualMachineInstance {
  let { domain } = vmi.spec;
  if (hasPersistentTpm(vmi)) {
    domain = { ...domain, devices: { ...domain.devices, tpm: { ...domain.devices.tpm, enabled: false } } };
  }
  if (hasPersistentEfi(vmi)) {
    const { firmware } = domain;
    const efi = { ...firmware?.bootloader?.efi, persistent: false };
    domain = { ...domain, firmware: { ...firmware, bootloader: { ...firmware?.bootloader, efi } } };
  }
  return { ...vmi, spec: { ...vmi.spec, domain } };
}
