import { releaseFromGoneVirtualMachine, removeForegroundFinalizers } from '../finalizers.ts';
import { isDown, launcherPod } from '../pod-predicates.ts';
import { type StatusDraft, setPhase } from '../status-draft.ts';
import { isBeingDeleted, isReceiver } from '../vmi-phase.ts';

/** WaitingForSync: a receiver whose target pod the migration controller makes (vmi.md 8.3). */
export function advanceWaitingForSync(draft: StatusDraft): void {
  const { vmi, pass } = draft;
  if (isBeingDeleted(pass.vmi)) {
    removeForegroundFinalizers(vmi);
    return releaseFromGoneVirtualMachine(vmi, pass);
  }
  const pod = launcherPod(draft.pod);
  if (pod === undefined) return;
  const isOver = isReceiver(pass.vmi) && (isDown(pod) || pass.vmi.status?.migrationState?.failed === true);
  if (!isOver) setPhase(draft, 'Scheduling');
}
