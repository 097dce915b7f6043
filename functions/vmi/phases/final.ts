import { noOwnedPod } from '../absent-pods.ts';
import { releaseFromGoneVirtualMachine, removeForegroundFinalizers } from '../finalizers.ts';
import { removeLabel } from '../labels.ts';
import { label } from '../names.ts';
import type { StatusDraft } from '../status-draft.ts';

/** Succeeded and Failed: the VMI may go once its pods are gone (vmi.md 8.3). */
export function finishFinal(draft: StatusDraft): void {
  const { vmi, pass } = draft;
  if (pass.pods.length === 0) {
    removeForegroundFinalizers(vmi);
    removeLabel(vmi, label.outdatedLauncherImage);
    delete vmi.status.launcherContainerImageVersion;
    draft.preconditions.push(noOwnedPod(pass));
  }
  releaseFromGoneVirtualMachine(vmi, pass);
}
