import type { Pod } from '../../core/objects.ts';
import type { StatusDraft } from '../status-draft.ts';
import type { VolumeStatus } from '../vmi-types.ts';
import { claimNamed } from '../volumes/volume-claims.ts';

/** The phases that this controller sets before a volume is attached; the node agent sets all later ones. */
const NOT_ATTACHED = new Set(['', 'Bound', 'Pending']);

/** The status of a volume that an attachment pod is to bring to the node (vmi.md 9.6). */
export function hotplugEntry(
  draft: StatusDraft,
  entry: VolumeStatus,
  claimName: string,
  active: Pod | undefined,
): VolumeStatus {
  const { attachPodUID: _, ...hotplugVolume } = entry.hotplugVolume ?? {};
  if (active === undefined) {
    if (entry.phase === 'Ready') return { ...entry, hotplugVolume: entry.hotplugVolume ?? {} };
    return { ...entry, hotplugVolume, ...claimState(draft, claimName) };
  }
  const { name, uid } = active.metadata;
  const attached: VolumeStatus = {
    ...entry,
    hotplugVolume: { attachPodName: name, ...(isServing(active) && uid !== undefined ? { attachPodUID: uid } : {}) },
  };
  if (NOT_ATTACHED.has(entry.phase ?? '')) {
    const reason = 'SuccessfulCreate';
    const message = `Attachment pod ${name} was created for volume ${entry.name}`;
    draft.events.push({ type: 'Normal', reason, message, subject: `volume ${entry.name}` });
    return { ...attached, phase: 'AttachedToNode', reason, message };
  }
  // The volume was taken out and put back before it was gone.
  return entry.phase === 'Detaching' ? { ...attached, ...claimState(draft, claimName) } : attached;
}

/** Its one container runs. */
function isServing({ status }: Pod): boolean {
  const containers = status?.containerStatuses ?? [];
  return containers.length === 1 && containers[0]?.ready === true;
}

function claimState({ pass }: StatusDraft, claimName: string): Pick<VolumeStatus, 'phase' | 'reason' | 'message'> {
  const { reads } = pass;
  if (claimNamed(reads.claims, claimName) === undefined) {
    return { phase: 'Pending', reason: 'FailedPvcNotFound', message: `Claim ${claimName} does not exist` };
  }
  const phase = claimNamed(reads.claimPhases, claimName)?.status?.phase;
  const reason = 'PVCNotReady';
  if (phase === 'Bound') return { phase, reason, message: `Claim ${claimName} is bound` };
  const message = phase === 'Pending' ? 'it is not bound yet' : `its phase is ${phase ?? 'not set'}`;
  return { phase: 'Pending', reason, message: `Claim ${claimName}: ${message}` };
}
