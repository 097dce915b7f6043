import type { Pod } from '../core/objects.ts';
import { removeLabel, setLabel } from './labels.ts';
import { COMPUTE, label } from './names.ts';
import type { StatusDraft } from './status-draft.ts';

/** Says which launcher image the VMI runs on, and whether that is an outdated one (vmi.md 8.1, step 4.1). */
export function updateLauncherImage({ vmi, pass }: StatusDraft, pod: Pod): void {
  const image = pod.spec.containers.find((c) => c.name === COMPUTE)?.image ?? '';
  if (image !== '' && image !== pass.context.configuration.process.launcherImage) {
    setLabel(vmi, label.outdatedLauncherImage, '');
  } else {
    removeLabel(vmi, label.outdatedLauncherImage);
  }
  if (image === '') delete vmi.status.launcherContainerImageVersion;
  else vmi.status.launcherContainerImageVersion = image;
}
