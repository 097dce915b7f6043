import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { type DiskImage, diskImages, type ImageMap } from '../containers/disk-images.ts';
import type { Volume } from '../pod-types.ts';
import { present, unlessBlank } from '../present.ts';
import { joinVolumeParts, NO_VOLUMES, type VolumeParts, volumeParts } from './volume-parts.ts';

export const LAUNCHER_VOLUME = 'launcher-volume';

/** Container disks and the kernel-boot image as image volumes (launcher-pod.md 12.7, gate `ImageVolume`). */
export function imageVolumes(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  images?: ImageMap,
): VolumeParts {
  if (!gateEnabled(configuration, 'ImageVolume')) return NO_VOLUMES;
  const { launcherImage } = configuration.process;
  const launcher = imageVolume(LAUNCHER_VOLUME, launcherImage, configuration.kubevirt.imagePullPolicy);
  const because = 'program of the init containers that find out the digests of disk images';
  return joinVolumeParts(
    ...diskImages(vmi, images).map(diskParts),
    imagesToResolve(vmi, images).length > 0 ? volumeParts(because, { volumes: [launcher] }) : NO_VOLUMES,
  );
}

/**
 * Images whose digest a later migration will have to know and no map tells: an init container brings each to light, unless
 * the VMI's annotation forbids it (12.7, 13.4).
 */
export function imagesToResolve(vmi: VirtualMachineInstance, images?: ImageMap): readonly DiskImage[] {
  if (vmi.metadata.annotations?.['kubevirt.io/image-volume-skip-digest-resolution'] === 'true') return [];
  return diskImages(vmi, images).filter((i) => i.digest === 'unknown');
}

function diskParts({ kind, name, reference, pullPolicy, file }: DiskImage): VolumeParts {
  const mountPath = kind === 'disk' ? `/var/run/kubevirt-image-volume/${file}` : '/var/run/kubevirt-kernel-boot';
  return volumeParts(kind === 'disk' ? 'container disk, as an image volume' : 'kernel and initrd to boot from', {
    volumes: [imageVolume(name, reference, pullPolicy)],
    mounts: [{ name, mountPath, readOnly: true }],
  });
}

function imageVolume(name: string, reference: string, pullPolicy: string | undefined): Volume {
  return { name, image: present({ reference, pullPolicy: unlessBlank(pullPolicy) }) };
}
