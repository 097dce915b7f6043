import type { StatusDraft } from '../status-draft.ts';
import type { Volume, VolumeStatus } from '../vmi-types.ts';
import { claimInfo } from './claim-info.ts';
import { claimNamed, claimNameOf, hotplugVolumesOf } from './volume-claims.ts';

/**
 * One entry for each volume (vmi.md 9.5). Entries of hotplugged volumes, which are not served here, stay as they are, and
 * none is made; so does the entry of backend storage. Entries of other volumes that left the spec are dropped.
 */
export function updateVolumeStatus(draft: StatusDraft): void {
  const old = new Map(draft.vmi.status.volumeStatus?.map((entry) => [entry.name, entry]));
  const hotplug = new Set(draft.pod === undefined ? [] : hotplugVolumesOf(draft.vmi, draft.pod).map((v) => v.name));
  const entries = new Map<string, VolumeStatus>();
  for (const volume of draft.vmi.spec.volumes ?? []) {
    if (!hotplug.has(volume.name)) entries.set(volume.name, entryOf(draft, volume, old.get(volume.name)));
  }
  for (const entry of old.values()) {
    if (!entries.has(entry.name) && isKept(entry)) entries.set(entry.name, entry);
  }
  const sorted = [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  if (sorted.length > 0 || old.size > 0) draft.vmi.status.volumeStatus = sorted;
}

function isKept(entry: VolumeStatus): boolean {
  return entry.hotplugVolume !== undefined || entry.name.startsWith('persistent-state-for');
}

function entryOf({ pass }: StatusDraft, volume: Volume, old: VolumeStatus | undefined): VolumeStatus {
  const entry = old ?? { name: volume.name, target: '' };
  const claim = claimNamed(pass.reads.claims, claimNameOf(volume) ?? '');
  return claim === undefined ? entry : { ...entry, persistentVolumeClaimInfo: claimInfo(claim) };
}
