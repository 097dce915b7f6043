import type { VirtualMachineInstance } from '../core/objects.ts';
import { areDiskChangesValid, areVolumeChangesValid } from './hotplug-changes.ts';
import { needsRestartForNetworks } from './network-changes.ts';

type Spec = VirtualMachineInstance['spec'];

export interface Comparison {
  /** The template's spec as it is. */
  readonly current: Spec;
  readonly instance: VirtualMachineInstance;
  /** Rollout strategy LiveUpdate. */
  readonly isLiveUpdate: boolean;
  /** `spec.updateVolumesStrategy` is Migration. */
  readonly mayMigrateVolumes: boolean;
}

/** The spec of the last start with all that needs no restart made equal to the current one (vm.md 11.2). */
export function withoutLiveUpdatable(started: Spec, comparison: Comparison): Spec {
  const { current, instance, isLiveUpdate, mayMigrateVolumes } = comparison;
  const devices = { ...started.domain?.devices };
  const last: Spec = { ...started, domain: { ...started.domain, devices } };

  if (areVolumeChangesValid(started, current, mayMigrateVolumes)) last.volumes = current.volumes;
  if (areDiskChangesValid(started, current)) devices.disks = current.domain?.devices?.disks;
  if (!needsRestartForNetworks(current, instance)) {
    last.networks = current.networks;
    devices.interfaces = current.domain?.devices?.interfaces;
  }
  ignoreFirmwareUuid(last, current, instance.spec);
  if (isLiveUpdate) ignoreLiveUpdates(last, current);
  return last;
}

/** A revision stored before the UUID was written into the VM (vm.md 6.2) has none: no difference that anyone made. */
function ignoreFirmwareUuid(last: Spec, current: Spec, running: Spec): void {
  const firmware = current.domain?.firmware;
  if (firmware === undefined || running.domain?.firmware === undefined) return;
  if ((firmware.uuid ?? '') !== (running.domain.firmware.uuid ?? '')) return;
  last.domain.firmware = { ...last.domain.firmware, uuid: firmware.uuid };
}

function ignoreLiveUpdates(last: Spec, current: Spec): void {
  const { cpu, memory } = current.domain ?? {};
  if (cpu !== undefined && last.domain.cpu !== undefined)
    last.domain.cpu = { ...last.domain.cpu, sockets: cpu.sockets };
  if (memory?.guest !== undefined) last.domain.memory = { ...last.domain.memory, guest: memory.guest };
  last.nodeSelector = current.nodeSelector;
  last.affinity = current.affinity;
  last.tolerations = current.tolerations;
}
