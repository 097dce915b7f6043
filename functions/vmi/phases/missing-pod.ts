import { noCurrentPod } from '../absent-pods.ts';
import { type StatusDraft, setPhase } from '../status-draft.ts';
import { isReceiver } from '../vmi-phase.ts';

/** The launcher pod is not there (vmi.md 8.3): Failed, after a look at the API. */
export function failWithoutPod(draft: StatusDraft): void {
  requireMissing(draft);
  setPhase(draft, 'Failed');
}

/** The launcher pod is not there before the guest runs: a receiver goes back to waiting, for any other VMI it is the end. */
export function loseLauncherPod(draft: StatusDraft): void {
  requireMissing(draft);
  endWithoutGuest(draft);
}

/** The launcher pod is there, and over. */
export function endWithoutGuest(draft: StatusDraft): void {
  setPhase(draft, isReceiver(draft.pass.vmi) ? 'WaitingForSync' : 'Failed');
}

/** A temporary pod in its place is no absence. */
function requireMissing(draft: StatusDraft): void {
  if (draft.pod === undefined) draft.preconditions.push(noCurrentPod(draft.pass));
}
