/** Images that a launcher pod may run. */
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';

const SIDECARS_ANNOTATION = 'hooks.kubevirt.io/hookSidecars';

/** The launcher's own, and those that its VMI names: disks, kernel, sidecars of its annotation and of its network bindings. */
export function launcherImages(
  vmi: VirtualMachineInstance | undefined,
  { process, kubevirt }: ClusterConfiguration,
): ReadonlySet<string> {
  const { volumes, domain } = vmi?.spec ?? {};
  const plugins = kubevirt.network?.binding ?? {};
  const bindings = (domain?.devices?.interfaces ?? []).map((i) => i.binding?.name);
  const images: readonly (string | undefined)[] = [
    process.launcherImage,
    process.sidecarShimImage,
    domain?.firmware?.kernelBoot?.container?.image,
    ...(volumes ?? []).map((v) => v.containerDisk?.image),
    ...bindings.map((name) => (name !== undefined && Object.hasOwn(plugins, name) ? plugins[name]?.sidecarImage : '')),
    ...sidecarImages(vmi?.metadata.annotations?.[SIDECARS_ANNOTATION]),
  ];
  return new Set(images.filter((image): image is string => image !== undefined && image !== ''));
}

/** Of an annotation that is no list of sidecars: none. */
function sidecarImages(annotation: string | undefined): string[] {
  if (annotation === undefined) return [];
  try {
    const list: unknown = JSON.parse(annotation);
    if (!Array.isArray(list)) return [];
    return list.flatMap((entry: unknown) => {
      const image = typeof entry === 'object' && entry !== null && 'image' in entry ? entry.image : undefined;
      return typeof image === 'string' ? [image] : [];
    });
  } catch {
    return [];
  }
}
