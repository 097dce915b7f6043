import type { Pod, VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import type { PluggedDisk } from '../../hypervisor/hypervisor.ts';
import { claimNamesOf } from '../claims-of-pods.ts';
import { claimNameOf, type Disk, type Volume } from '../guest-disk.ts';
import type { GuestRecord } from '../guest-record.ts';
import { awaitsMount, entryOf, isHolding, type NodePhase } from './volume-phase.ts';

/** What is known of a running guest and the volumes that are plugged into it. */
export interface HotplugSituation {
  readonly vmi: VirtualMachineInstance;
  /** Those of the launcher pod are no hotplug volumes (vmi.md 7.1). */
  readonly launcher: Pod;
  readonly attachments: readonly Pod[];
  readonly plugged: GuestRecord['plugged'];
  /** That the guest has. */
  readonly disks: readonly PluggedDisk[];
}

export type HotplugStep =
  | { readonly type: 'report'; readonly name: string; readonly phase: NodePhase; readonly target: string }
  | { readonly type: 'plug-in'; readonly name: string; readonly volume: Volume; readonly disk: Disk | undefined }
  | { readonly type: 'plug-out'; readonly name: string; readonly target: string }
  /** It is out. */
  | { readonly type: 'forget'; readonly name: string };

/** Whether a guest's disks have to be looked at for {@link decideHotplug}. */
export function concernsHotplug(vmi: VirtualMachineInstance, plugged: GuestRecord['plugged']): boolean {
  return (
    Object.keys(plugged).length > 0 || vmi.status?.volumeStatus?.some((e) => e.hotplugVolume !== undefined) === true
  );
}

/**
 * The next steps for all volumes. A disk goes in when the controller has named the attachment pod that runs with it, and only after
 * the volume says that it is mounted; a volume says that it is unmounted only when the guest has let go of its disk (HP-04): in
 * between the controller keeps the attachment pod.
 */
export function decideHotplug(situation: HotplugSituation): readonly HotplugStep[] {
  const { vmi, launcher, plugged } = situation;
  const cold = new Set((launcher.spec.volumes ?? []).map(({ name }) => name));
  const wanted = (vmi.spec.volumes ?? []).filter((v) => claimNameOf(v) !== undefined && !cold.has(v.name));
  const hotplugged = (vmi.status?.volumeStatus ?? []).flatMap((e) => (e.hotplugVolume === undefined ? [] : [e.name]));
  const named = new Set((vmi.spec.volumes ?? []).map(({ name }) => name));
  const unwanted = [...new Set([...hotplugged, ...Object.keys(plugged)])].filter((name) => !named.has(name));
  return [
    ...unwanted.flatMap((name) => stepsOut(situation, name)),
    ...wanted.flatMap((volume) => stepsIn(situation, volume)),
  ];
}

function stepsIn(situation: HotplugSituation, volume: Volume): readonly HotplugStep[] {
  const { vmi, attachments } = situation;
  const { name } = volume;
  const entry = entryOf(vmi, name);
  if (entry === undefined) return [];
  const target = targetOf(situation, name);
  if (target !== undefined) {
    const said = entry.phase === 'Ready' && entry.target === target;
    return said ? [] : [{ type: 'report', name, phase: 'Ready', target }];
  }
  const mounted = attachments.some(
    (pod) =>
      pod.metadata.uid === entry.hotplugVolume?.attachPodUID &&
      pod.metadata.deletionTimestamp === undefined &&
      pod.status?.phase === 'Running' &&
      claimNamesOf(pod).get(name) === claimNameOf(volume),
  );
  if (!mounted) return [];
  const disk = vmi.spec.domain.devices?.disks?.find((d) => d.name === name);
  if (awaitsMount(entry)) return [{ type: 'report', name, phase: 'MountedToPod', target: '' }];
  return isHolding(entry) ? [{ type: 'plug-in', name, volume, disk }] : [];
}

function stepsOut(situation: HotplugSituation, name: string): readonly HotplugStep[] {
  const target = targetOf(situation, name);
  if (target !== undefined) return [{ type: 'plug-out', name, target }];
  const entry = entryOf(situation.vmi, name);
  return [
    ...(situation.plugged[name] === undefined ? [] : [{ type: 'forget', name } as const]),
    ...(entry !== undefined && isHolding(entry)
      ? [{ type: 'report', name, phase: 'UnMountedFromPod', target: '' } as const]
      : []),
  ];
}

/** The disk's name in the guest; undefined when the guest does not have it. */
function targetOf({ plugged, disks }: HotplugSituation, name: string): string | undefined {
  const path = plugged[name]?.disk.path;
  return path === undefined ? undefined : disks.find((disk) => disk.path === path)?.target;
}
