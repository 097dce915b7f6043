/** Which images a migration target runs: those of its source, by digest (launcher-pod.md 16.1). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { diskImages, type ImageMap } from '../containers/disk-images.ts';
import { RenderError } from '../render-error.ts';
import type { SourcePod } from './source-pod.ts';

const DIGEST_MARK = '@sha256:';
const CONTAINER_PREFIX = 'volume';

/**
 * The VMI's images, pinned to what the source pod's volumes and container statuses say. A source pod without statuses (the
 * stand-in of a decentralized migration) leaves them as they are.
 *
 * @throws RenderError `image-digest-unknown`
 */
export function migrationImages(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  sourcePod: SourcePod,
): ImageMap {
  const images = new Map(diskImages(vmi).map(({ name, image }) => [name, image]));
  const asVolumes = gateEnabled(configuration, 'ImageVolume');
  const { containerStatuses = [], initContainerStatuses = [] } = sourcePod.status ?? {};
  for (const { name, image } of asVolumes ? (sourcePod.spec.volumes ?? []) : []) {
    if (image?.reference?.includes(DIGEST_MARK) && images.has(name)) images.set(name, image.reference);
  }
  for (const { name: container, imageID } of [...containerStatuses, ...(asVolumes ? initContainerStatuses : [])]) {
    if (!container.startsWith(CONTAINER_PREFIX)) continue;
    const name = container.slice(CONTAINER_PREFIX.length);
    const image = images.get(name);
    if (image !== undefined) images.set(name, `${withoutTag(image)}@${digestIn(imageID, container)}`);
  }
  return images;
}

/** Without digest and tag: a colon before the last slash belongs to the registry's port. */
function withoutTag(image: string): string {
  const marked = image.indexOf(DIGEST_MARK);
  if (marked >= 0) return image.slice(0, marked);
  const colon = image.lastIndexOf(':');
  return colon > image.lastIndexOf('/') ? image.slice(0, colon) : image;
}

function digestIn(imageId: string, container: string): string {
  const digest = /sha256:[a-zA-Z0-9]+/.exec(imageId)?.[0];
  if (digest === undefined) throw new RenderError({ type: 'image-digest-unknown', container, imageId });
  return digest;
}
