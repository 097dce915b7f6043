import type { Pod } from '../../../functions/core/objects.ts';
import { pullPolicy, type WantedImage } from '../images/wanted-image.ts';
import { COMPUTE, launcherImageOf } from './launcher-pod.ts';

/** The image of one containerDisk volume. */
export interface NeededImage extends WantedImage {
  /** The volume's name in the VMI. */
  readonly volume: string;
  /** Containers that stand for it, the first to be started first (launcher-pod.md 13.3, 13.4). */
  readonly containers: readonly string[];
}

/** Not a disk: kernel and initrd. */
const KERNEL_BOOT = 'kernel-boot-volume';
const PREFIX = 'volume';
const INIT_SUFFIX = '-init';

/** Images of the pod's containerDisks: of containers named after volumes, or image volumes (launcher-pod.md 12.7). */
export function neededImages(pod: Pod): readonly NeededImage[] {
  const found = new Map<string, NeededImage>();
  const add = (volume: string, container: string, reference: string, policy: string | undefined): void => {
    if (volume === KERNEL_BOOT) return;
    const before = found.get(volume);
    if (before !== undefined && before.reference !== reference) return;
    const containers = [...(before?.containers ?? []), container];
    found.set(volume, { volume, containers, reference, pullPolicy: pullPolicy(policy, reference) });
  };
  const served = new Set(pod.spec.containers.map((c) => volumeOf(c.name)));
  for (const { name, image = '', imagePullPolicy } of pod.spec.initContainers ?? []) {
    const volume = volumeOf(name);
    if (volume === undefined) continue;
    const pulled = volume.endsWith(INIT_SUFFIX) ? volume.slice(0, -INIT_SUFFIX.length) : undefined;
    add(pulled !== undefined && served.has(pulled) ? pulled : volume, name, image, imagePullPolicy);
  }
  for (const { name, image = '', imagePullPolicy } of pod.spec.containers) {
    const volume = volumeOf(name);
    if (volume !== undefined) add(volume, name, image, imagePullPolicy);
  }
  for (const { name, image } of pod.spec.volumes ?? []) {
    // One of virt-launcher's own image serves other containers.
    if (image?.reference === undefined || image.reference === launcherImageOf(pod) || found.has(name)) continue;
    add(name, COMPUTE, image.reference, image.pullPolicy);
  }
  return [...found.values()];
}

/** A container that this node cannot run: neither virt-launcher's image nor one of a volume. */
export function foreignContainer(pod: Pod): string | undefined {
  const launcherImage = launcherImageOf(pod);
  return [...(pod.spec.initContainers ?? []), ...pod.spec.containers].find(
    ({ name, image }) => image !== launcherImage && volumeOf(name) === undefined,
  )?.name;
}

function volumeOf(container: string): string | undefined {
  return container.startsWith(PREFIX) ? container.slice(PREFIX.length) : undefined;
}
