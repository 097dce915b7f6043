import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { isDedicatedOrGuaranteed } from '../predicates/cpu.ts';
import { kernelBootImage, volumesOf } from '../predicates/storage.ts';
import { type SupportResources, supportResources } from '../resources/support-resources.ts';

/** Under this name the kernel-boot image stands among volumes, containers and in the map of images. */
export const KERNEL_BOOT_VOLUME = 'kernel-boot-volume';

/**
 * Which image the volume of each container disk has on a migration target, by volume name (launcher-pod.md 16.1). Other pods
 * have none: their images are the VMI's.
 */
export type ImageMap = ReadonlyMap<string, string>;

/** An image that holds a disk, or kernel and initrd. */
export interface DiskImage {
  readonly kind: 'disk' | 'kernel-boot';
  readonly name: string;
  /** As the VMI names it. */
  readonly image: string;
  /** As the pod names it: by the digest that a migration's source runs, where that is known. */
  readonly reference: string;
  /** `pinned`: by the map of images; a digest that the VMI itself names does not count. */
  readonly digest: 'pinned' | 'unknown';
  readonly pullPolicy?: string;
  /** Name of what is served in the working directory of container disks. */
  readonly file: string;
}

const VMI_IMAGES: ImageMap = new Map();

/** Container disks in volume order (the index counts all volumes), then the kernel-boot image. */
export function diskImages(vmi: VirtualMachineInstance, images: ImageMap = VMI_IMAGES): readonly DiskImage[] {
  const disks = volumesOf(vmi).flatMap(({ name, containerDisk }, index): DiskImage[] => {
    if (containerDisk === undefined) return [];
    const { image, imagePullPolicy: pullPolicy } = containerDisk;
    return [{ kind: 'disk', name, image, ...pinnedBy(images, name, image), pullPolicy, file: `disk_${index}` }];
  });
  const kernel = kernelBootImage(vmi);
  if (kernel === undefined) return disks;
  const { image, imagePullPolicy: pullPolicy } = kernel;
  const name = KERNEL_BOOT_VOLUME;
  const pinned = pinnedBy(images, name, image);
  return [...disks, { kind: 'kernel-boot', name, image, ...pinned, pullPolicy, file: 'kernel-boot' }];
}

function pinnedBy(images: ImageMap, name: string, image: string): Pick<DiskImage, 'reference' | 'digest'> {
  const reference = images.get(name);
  return { reference: reference ?? image, digest: reference?.includes('@sha256:') === true ? 'pinned' : 'unknown' };
}

const DEFAULTS = { requests: { cpu: '1m', memory: '1M' }, limits: { cpu: '10m', memory: '40M' } };

/** Resources of each container that runs such an image (launcher-pod.md 13.1). */
export function diskResources(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): SupportResources {
  const guaranteed = isDedicatedOrGuaranteed(vmi);
  const { resources, because } = supportResources(configuration, 'container-disk', DEFAULTS, guaranteed);
  return { resources: { ...resources, requests: { ...resources.requests, 'ephemeral-storage': '50M' } }, because };
}
