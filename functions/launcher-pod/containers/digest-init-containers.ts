import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Container } from '../pod-types.ts';
import { present, unlessBlank } from '../present.ts';
import type { Reasoned } from '../reason.ts';
import { imagesToResolve, LAUNCHER_VOLUME } from '../volumes/image-volumes.ts';
import { diskResources, type ImageMap } from './disk-images.ts';
import { HELPER_CONTEXT } from './security-contexts.ts';

/**
 * Containers whose status tells a later migration which digest each image has (launcher-pod.md 13.4, gate `ImageVolume`). An
 * image that the VMI names by digest gets one as well.
 */
export function digestInitContainers(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  images?: ImageMap,
): readonly Reasoned<Container>[] {
  const support = diskResources(vmi, configuration);
  return imagesToResolve(vmi, images).map(({ name, image, pullPolicy }) => ({
    because: [`its status tells a later migration the digest of ${image}`, support.because],
    value: present({
      name: `volume${name}`,
      image,
      imagePullPolicy: unlessBlank(pullPolicy),
      command: ['/container-disk-binary/usr/bin/container-disk'],
      args: ['--no-op'],
      resources: support.resources,
      securityContext: HELPER_CONTEXT,
      volumeMounts: [{ name: LAUNCHER_VOLUME, mountPath: '/container-disk-binary', readOnly: true }],
    }),
  }));
}
