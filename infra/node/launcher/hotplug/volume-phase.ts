import type { VirtualMachineInstance } from '../../../../functions/core/objects.ts';

/** The phases of a hotplug volume that are the node's to write; all others are the controller's (vmi.md 9.6). */
export type NodePhase = 'MountedToPod' | 'Ready' | 'UnMountedFromPod';

type VolumeStatus = NonNullable<NonNullable<VirtualMachineInstance['status']>['volumeStatus']>[number];

/** Those of a volume that was not at the pod yet. */
const BEFORE_MOUNT: ReadonlySet<string> = new Set(['', 'Pending', 'Bound', 'AttachedToNode']);
/** Those in which the controller keeps the attachment pod (vmi.md 7.4): only the node ends them. */
const HOLDING: ReadonlySet<string> = new Set<NodePhase>(['MountedToPod', 'Ready']);

export const REASONS: Readonly<Record<NodePhase, string>> = {
  MountedToPod: 'VolumeMountedToPod',
  Ready: 'VolumeReady',
  UnMountedFromPod: 'VolumeUnMountedFromPod',
};

export function messageOf(name: string, phase: NodePhase): string {
  switch (phase) {
    case 'MountedToPod':
      return `volume ${name} is mounted in the launcher pod`;
    case 'Ready':
      return `volume ${name} is plugged into the guest`;
    case 'UnMountedFromPod':
      return `volume ${name} is no longer in the guest and the launcher pod`;
  }
}

/** The status entry of a hotplug volume. */
export function entryOf({ status }: VirtualMachineInstance, name: string): VolumeStatus | undefined {
  return status?.volumeStatus?.find((entry) => entry.name === name && entry.hotplugVolume !== undefined);
}

export function phaseOf(entry: VolumeStatus): string {
  return entry.phase ?? '';
}

export function isHolding(entry: VolumeStatus): boolean {
  return HOLDING.has(phaseOf(entry));
}

export function awaitsMount(entry: VolumeStatus): boolean {
  return BEFORE_MOUNT.has(phaseOf(entry));
}

/** The VMI with a hotplug volume in that phase; undefined when it says so already, or the step is not to be taken (any more). */
export function withPhase(
  vmi: VirtualMachineInstance,
  name: string,
  phase: NodePhase,
  target: string,
): VirtualMachineInstance | undefined {
  const entry = entryOf(vmi, name);
  if (entry === undefined || vmi.status === undefined || !mayBecome(vmi, entry, phase, target)) return undefined;
  const after = { ...entry, phase, target, reason: REASONS[phase], message: messageOf(name, phase) };
  const volumeStatus = vmi.status.volumeStatus?.map((other) => (other === entry ? after : other));
  return { ...vmi, status: { ...vmi.status, volumeStatus } };
}

function mayBecome(vmi: VirtualMachineInstance, entry: VolumeStatus, phase: NodePhase, target: string): boolean {
  const inSpec = vmi.spec.volumes?.some(({ name }) => name === entry.name) === true;
  switch (phase) {
    case 'MountedToPod':
      return inSpec && awaitsMount(entry);
    case 'Ready':
      return inSpec && !(entry.phase === 'Ready' && entry.target === target);
    case 'UnMountedFromPod':
      return !inSpec && isHolding(entry);
  }
}
