/** The pod that a VMI migrates to (launcher-pod.md 16). */
import type { LauncherPodInput, LauncherPodResult } from '../input.ts';
import { renderLauncherPod } from '../render-launcher-pod.ts';
import { attempt } from '../render-result.ts';
import { migrationImages } from './image-map.ts';
import { sourceNetworkAnnotations } from './source-networks.ts';
import type { SourcePod } from './source-pod.ts';

export type MigrationTargetInput = Omit<LauncherPodInput, 'variant' | 'images'> & { readonly sourcePod: SourcePod };

/**
 * A launcher pod with the source's images and interface names. `related.backendStorageClaim` is the target's
 * (`findTargetBackendStorageClaim`). What the migration controller adds to it: `finishMigrationTarget`.
 */
export function renderMigrationTarget({ sourcePod, ...input }: MigrationTargetInput): LauncherPodResult {
  const { vmi, configuration } = input;
  const images = attempt(() => migrationImages(vmi, configuration, sourcePod));
  if (images.type === 'error') return { ...images, vmi };

  const launcher = renderLauncherPod({ ...input, variant: 'launch', images: images.value });
  if (launcher.type === 'error') return launcher;

  const networks = attempt(() => sourceNetworkAnnotations(launcher.vmi, configuration, sourcePod));
  if (networks.type === 'error') return { ...networks, vmi: launcher.vmi };
  const { metadata } = launcher.pod;
  const annotations = { ...metadata.annotations, ...networks.value };
  return { ...launcher, pod: { ...launcher.pod, metadata: { ...metadata, annotations } } };
}
