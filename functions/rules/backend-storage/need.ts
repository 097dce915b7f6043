/** Whether a VM's state has to outlive its pod (vmi.md 9.1). */
import type { VirtualMachineInstance } from '../../core/objects.ts';

type Domain = VirtualMachineInstance['spec']['domain'];

/** A VMI, or what a VM's template and status say. */
export interface StateOwner {
  readonly spec: { readonly domain?: Pick<Domain, 'devices' | 'firmware'> };
  readonly status?: { readonly changedBlockTracking?: { readonly state?: string } };
}

export function hasPersistentTpm({ spec }: StateOwner): boolean {
  const tpm = spec.domain?.devices?.tpm;
  return tpm !== undefined && tpm.enabled !== false && tpm.persistent === true;
}

export function hasPersistentEfi({ spec }: StateOwner): boolean {
  return spec.domain?.firmware?.bootloader?.efi?.persistent === true;
}

/** Changed block tracking is on. */
export function tracksChangedBlocks({ status }: StateOwner): boolean {
  const state = status?.changedBlockTracking?.state;
  return state === 'Initializing' || state === 'Enabled';
}

export function needsBackendStorage(owner: StateOwner): boolean {
  return hasPersistentTpm(owner) || hasPersistentEfi(owner) || tracksChangedBlocks(owner);
}
