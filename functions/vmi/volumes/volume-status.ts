import type { Pod } from '../../core/objects.ts';
import { findBackendStorageClaim } from '../../rules/backend-storage/find-claim.ts';
import { STATE_VOLUME } from '../../rules/backend-storage/names.ts';
import { activeAttachmentPod, attachmentPodsOf } from '../hotplug/attachment-pods.ts';
import { detachingEntry } from '../hotplug/detaching-entry.ts';
import { hotplugEntry } from '../hotplug/hotplug-entry.ts';
import { hotplugVolumesOf, isUtilityVolume, utilityVolumesOf } from '../hotplug/hotplug-volumes.ts';
import { OK, type StatusDraft, type StatusResult } from '../status-draft.ts';
import type { Volume, VolumeStatus } from '../vmi-types.ts';
import { claimInfo } from './claim-info.ts';
import { filesystemOverhead } from './filesystem-overhead.ts';
import { claimNamed, claimNameOf } from './volume-claims.ts';

/** One entry for each volume, and for those that left the spec and are still attached, by name (vmi.md 9.5). */
export function updateVolumeStatus(draft: StatusDraft, launcher: Pod): StatusResult {
  const { vmi, pass } = draft;
  const old = new Map(vmi.status.volumeStatus?.map((entry) => [entry.name, entry]));
  const hotplugged = hotplugVolumesOf(vmi, launcher);
  const isHotplugged = new Set(hotplugged.map((v) => v.name));
  const attachmentPods = attachmentPodsOf(pass, launcher);
  const active = activeAttachmentPod(attachmentPods, hotplugged);
  // The common part of the step has brought that entry up to date.
  const hasState = findBackendStorageClaim(vmi, pass.reads.stateClaims) !== undefined;
  const isState = (entry: VolumeStatus) => hasState && entry.name === STATE_VOLUME;

  const entries = new Map<string, VolumeStatus>();
  for (const volume of [...(vmi.spec.volumes ?? []), ...utilityVolumesOf(vmi)]) {
    let entry = old.get(volume.name) ?? { name: volume.name, target: '' };
    entry = withMemoryDump(entry, volume);
    if (isHotplugged.has(volume.name) || isUtilityVolume(vmi, volume.name)) {
      entry = hotplugEntry(draft, entry, claimNameOf(volume) ?? '', active);
    }
    const told = withClaimInfo(draft, entry, volume);
    if (told.type === 'error') return told;
    entries.set(volume.name, told.entry);
  }
  for (const entry of old.values()) {
    if (entries.has(entry.name)) continue;
    const left = isState(entry) ? entry : detachingEntry(draft, entry, attachmentPods);
    if (left !== undefined) entries.set(entry.name, left);
  }
  const sorted = [...entries.values()].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  if (sorted.length > 0 || old.size > 0) vmi.status.volumeStatus = sorted;
  return OK;
}

/** Before the node agent has dumped anything, the entry bears the volume's name for the claim. */
function withMemoryDump(entry: VolumeStatus, volume: Volume): VolumeStatus {
  if (volume.memoryDump === undefined || entry.memoryDumpVolume !== undefined) return entry;
  return { ...entry, memoryDumpVolume: { claimName: volume.name } };
}

type Told =
  | { readonly type: 'told'; readonly entry: VolumeStatus }
  | { readonly type: 'error'; readonly reason: string };

function withClaimInfo({ pass }: StatusDraft, entry: VolumeStatus, volume: Volume): Told {
  const claim = claimNamed(pass.reads.claims, claimNameOf(volume) ?? '');
  if (claim === undefined) return { type: 'told', entry };
  if (claim.spec.volumeMode === 'Block' && isUtilityVolume(pass.vmi, volume.name)) {
    const message = `Claim ${claim.metadata.name} is a block device; a utility volume needs a file system`;
    return { type: 'told', entry: { ...entry, phase: 'Pending', reason: 'PVCNotReady', message } };
  }
  const overhead = filesystemOverhead(pass, claim);
  if (overhead.type === 'unknown') return { type: 'error', reason: overhead.message };
  return { type: 'told', entry: { ...entry, persistentVolumeClaimInfo: claimInfo(claim, overhead.share) } };
}
