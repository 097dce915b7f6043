import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Volume } from '../pod-types.ts';
import { kernelBootImage, volumesOf } from '../predicates/storage.ts';
import { present, unlessBlank } from '../present.ts';
import { type VolumeParts, volumeParts } from './volume-parts.ts';

export const KERNEL_BOOT_VOLUME = 'kernel-boot-volume';
export const LAUNCHER_VOLUME = 'launcher-volume';

/** Container disks and the kernel-boot image as image volumes (launcher-pod.md 12.7, gate `ImageVolume`). */
export function imageVolumes(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): VolumeParts {
  if (!gateEnabled(configuration, 'ImageVolume')) return volumeParts({});
  const disks = volumesOf(vmi).flatMap(({ name, containerDisk }, index) => {
    if (containerDisk === undefined) return [];
    const volume = imageVolume(name, containerDisk.image, containerDisk.imagePullPolicy);
    return [{ volume, mountPath: `/var/run/kubevirt-image-volume/disk_${index}` }];
  });
  const kernel = kernelBootImage(vmi);
  const images = [...disks];
  if (kernel !== undefined) {
    const volume = imageVolume(KERNEL_BOOT_VOLUME, kernel.image, kernel.imagePullPolicy);
    images.push({ volume, mountPath: '/var/run/kubevirt-kernel-boot' });
  }
  const { launcherImage } = configuration.process;
  const launcher = imageVolume(LAUNCHER_VOLUME, launcherImage, configuration.kubevirt.imagePullPolicy);
  return volumeParts({
    volumes: [...images.map((i) => i.volume), ...(resolvesDigests(vmi) && images.length > 0 ? [launcher] : [])],
    mounts: images.map(({ volume, mountPath }) => ({ name: volume.name, mountPath, readOnly: true })),
  });
}

/** Whether init containers bring to light which digests the images have, for a later migration (12.7, 13.4). */
export function resolvesDigests(vmi: VirtualMachineInstance): boolean {
  return vmi.metadata.annotations?.['kubevirt.io/image-volume-skip-digest-resolution'] !== 'true';
}

function imageVolume(name: string, reference: string, pullPolicy: string | undefined): Volume {
  return { name, image: present({ reference, pullPolicy: unlessBlank(pullPolicy) }) };
}
