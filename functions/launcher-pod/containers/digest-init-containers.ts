import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Container } from '../pod-types.ts';
import { present, unlessBlank } from '../present.ts';
import { LAUNCHER_VOLUME, resolvesDigests } from '../volumes/image-volumes.ts';
import { diskImages, diskResources } from './disk-images.ts';
import { HELPER_CONTEXT } from './security-contexts.ts';

/**
 * Containers whose status tells a later migration which digest each image has (launcher-pod.md 13.4, gate `ImageVolume`). An
 * image that the VMI names by digest gets one as well.
 */
export function digestInitContainers(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): readonly Container[] {
  if (!resolvesDigests(vmi)) return [];
  return diskImages(vmi).map(({ name, reference, pullPolicy }) =>
    present({
      name: `volume${name}`,
      image: reference,
      imagePullPolicy: unlessBlank(pullPolicy),
      command: ['/container-disk-binary/usr/bin/container-disk'],
      args: ['--no-op'],
      resources: diskResources(vmi, configuration),
      securityContext: HELPER_CONTEXT,
      volumeMounts: [{ name: LAUNCHER_VOLUME, mountPath: '/container-disk-binary', readOnly: true }],
    }),
  );
}
