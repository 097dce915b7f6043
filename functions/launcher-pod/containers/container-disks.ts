/** Container disks and the kernel-boot image as containers of their own (launcher-pod.md 13.3, gate `ImageVolume` off). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Container } from '../pod-types.ts';
import { isDedicatedOrGuaranteed } from '../predicates/cpu.ts';
import { isNonRoot } from '../predicates/user.ts';
import { present, unlessBlank, unlessEmpty } from '../present.ts';
import { supportResources } from '../resources/support-resources.ts';
import { KERNEL_BOOT_VOLUME } from '../volumes/image-volumes.ts';
import { type DiskImage, diskImages, diskResources } from './disk-images.ts';
import { HELPER_CONTEXT, NON_ROOT_CONTEXT, ROOT_CONTEXT, userDirectories } from './security-contexts.ts';

const BINARY_VOLUME = 'virt-bin-share-dir';

/** Each serves its image's files for as long as the pod lives. */
export function containerDiskContainers(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): readonly Container[] {
  const directory = workingDirectory(vmi, configuration);
  return imagesToServe(vmi).map((image) =>
    diskContainer(image, `volume${image.name}`, ['--copy-path', `${directory}/${image.file}`], vmi, configuration),
  );
}

/** They bring the program, and have the images pulled before the VM starts. */
export function containerDiskInitContainers(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): readonly Container[] {
  if (diskImages(vmi).length === 0) return [];
  const pulls = imagesToServe(vmi).map((image) =>
    diskContainer(image, `volume${image.name}-init`, ['--no-op'], vmi, configuration),
  );
  return [binaryContainer(vmi, configuration), ...pulls];
}

/** A container disk whose volume bears the kernel-boot image's name is left out. */
function imagesToServe(vmi: VirtualMachineInstance): readonly DiskImage[] {
  return diskImages(vmi).filter((image) => image.kind === 'kernel-boot' || image.name !== KERNEL_BOOT_VOLUME);
}

function workingDirectory(vmi: VirtualMachineInstance, { process }: ClusterConfiguration): string {
  return `${process.ephemeralDiskDir}/container-disk-data/${vmi.metadata.uid}`;
}

function diskContainer(
  image: DiskImage,
  name: string,
  args: string[],
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): Container {
  return present({
    name,
    image: image.reference,
    imagePullPolicy: unlessBlank(image.pullPolicy),
    command: ['/usr/bin/container-disk'],
    args,
    resources: diskResources(vmi, configuration),
    securityContext: HELPER_CONTEXT,
    volumeMounts: [
      { name: 'container-disks', mountPath: workingDirectory(vmi, configuration) },
      { name: BINARY_VOLUME, mountPath: '/usr/bin' },
    ],
  });
}

function binaryContainer(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): Container {
  const guaranteed = isDedicatedOrGuaranteed(vmi);
  const defaults = {
    requests: { cpu: '10m', memory: '1M' },
    limits: { cpu: guaranteed ? '10m' : '100m', memory: '40M' },
  };
  const rootContext = { ...ROOT_CONTEXT, capabilities: { drop: ['ALL'] } };
  return present({
    name: 'container-disk-binary',
    image: configuration.process.launcherImage,
    imagePullPolicy: configuration.kubevirt.imagePullPolicy,
    command: ['/usr/bin/cp'],
    args: ['--preserve=all', '/usr/bin/container-disk', '/init/usr/bin/container-disk'],
    env: unlessEmpty(userDirectories(vmi)),
    resources: supportResources(configuration, 'container-disk', defaults, guaranteed),
    securityContext: isNonRoot(vmi) ? NON_ROOT_CONTEXT : rootContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [{ name: BINARY_VOLUME, mountPath: '/init/usr/bin' }],
  });
}
