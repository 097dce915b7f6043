import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { ResourceRequirements } from '../pod-types.ts';
import { isDedicatedOrGuaranteed } from '../predicates/cpu.ts';
import { kernelBootImage, volumesOf } from '../predicates/storage.ts';
import { supportResources } from '../resources/support-resources.ts';
import { KERNEL_BOOT_VOLUME } from '../volumes/image-volumes.ts';

/** An image that holds a disk, or kernel and initrd. */
export interface DiskImage {
  readonly kind: 'disk' | 'kernel-boot';
  readonly name: string;
  readonly reference: string;
  readonly pullPolicy?: string;
  /** Name of what is served in the working directory of container disks. */
  readonly file: string;
}

/** Container disks in volume order (the index counts all volumes), then the kernel-boot image. */
export function diskImages(vmi: VirtualMachineInstance): readonly DiskImage[] {
  const images = volumesOf(vmi).flatMap(({ name, containerDisk }, index): DiskImage[] => {
    if (containerDisk === undefined) return [];
    const { image, imagePullPolicy } = containerDisk;
    return [{ kind: 'disk', name, reference: image, pullPolicy: imagePullPolicy, file: `disk_${index}` }];
  });
  const kernel = kernelBootImage(vmi);
  if (kernel === undefined) return images;
  const { image, imagePullPolicy } = kernel;
  const boot = { name: KERNEL_BOOT_VOLUME, reference: image, pullPolicy: imagePullPolicy, file: 'kernel-boot' };
  return [...images, { kind: 'kernel-boot', ...boot }];
}

const DEFAULTS = { requests: { cpu: '1m', memory: '1M' }, limits: { cpu: '10m', memory: '40M' } };

/** Resources of each container that runs such an image (launcher-pod.md 13.1). */
export function diskResources(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): ResourceRequirements {
  const resources = supportResources(configuration, 'container-disk', DEFAULTS, isDedicatedOrGuaranteed(vmi));
  return { ...resources, requests: { ...resources.requests, 'ephemeral-storage': '50M' } };
}
