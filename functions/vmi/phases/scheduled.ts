import type { Pod } from '../../core/objects.ts';
import { isDown, launcherPod } from '../pod-predicates.ts';
import type { StatusDraft } from '../status-draft.ts';
import { isReceiver } from '../vmi-phase.ts';
import { updateVolumeStatus } from '../volumes/volume-status.ts';
import { endWithoutGuest, loseLauncherPod } from './missing-pod.ts';

/** Scheduled: virt-handler starts the guest (vmi.md 8.3). A finished pod is its matter, except on a receiver. */
export function advanceScheduled(draft: StatusDraft): void {
  const pod = launcherPod(draft.pod);
  if (pod === undefined) return loseLauncherPod(draft);
  if (isReceivingOver(draft, pod)) return endWithoutGuest(draft);
  draft.result = updateVolumeStatus(draft, pod);
}

function isReceivingOver({ pass }: StatusDraft, pod: Pod): boolean {
  return isReceiver(pass.vmi) && (isDown(pod) || pass.vmi.status?.migrationState?.failed === true);
}
