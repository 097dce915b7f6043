import type { InstanceSpec, PreferenceSpec } from '../profile.ts';
import { fill, isPresent } from '../set-members.ts';

/** BIOS or EFI, where neither is chosen, and what belongs to either (vm.md 10.6). A preferred EFI is taken as a whole. */
export function applyFirmware({ domain }: InstanceSpec, { firmware }: PreferenceSpec): void {
  if (!isPresent(firmware)) return;
  const loader = ((domain.firmware ??= {}).bootloader ??= {});
  const isOpen = () => !isPresent(loader.bios) && !isPresent(loader.efi);
  if (firmware.preferredUseBios === true && isOpen()) loader.bios = {};
  if (isPresent(loader.bios)) fill(loader.bios, 'useSerial', firmware.preferredUseBiosSerial);
  if (isOpen() && isPresent(firmware.preferredEfi)) {
    loader.efi = structuredClone(firmware.preferredEfi);
    return;
  }
  if (firmware.preferredUseEfi === true && isOpen()) loader.efi = {};
  if (isPresent(loader.efi)) fill(loader.efi, 'secureBoot', firmware.preferredUseSecureBoot);
}
