/** Container disks and the kernel-boot image as containers of their own (launcher-pod.md 13.3, gate `ImageVolume` off). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Container } from '../pod-types.ts';
import { isDedicatedOrGuaranteed } from '../predicates/cpu.ts';
import { isNonRoot } from '../predicates/user.ts';
import { present, unlessBlank, unlessEmpty } from '../present.ts';
import type { Reasoned } from '../reason.ts';
import { supportResources } from '../resources/support-resources.ts';
import { type DiskImage, diskImages, diskResources, type ImageMap, KERNEL_BOOT_VOLUME } from './disk-images.ts';
import { HELPER_CONTEXT, NON_ROOT_CONTEXT, ROOT_CONTEXT, userDirectories } from './security-contexts.ts';

const BINARY_VOLUME = 'virt-bin-share-dir';

/** Each serves its image's files for as long as the pod lives. */
export function containerDiskContainers(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  images?: ImageMap,
): readonly Reasoned<Container>[] {
  const directory = workingDirectory(vmi, configuration);
  return imagesToServe(vmi, images).map((image) => {
    const work = {
      name: `volume${image.name}`,
      args: ['--copy-path', `${directory}/${image.file}`],
      why: `serves ${image.reference}; gate ImageVolume is off`,
    };
    return diskContainer(image, work, vmi, configuration);
  });
}

/** They bring the program, and have the images pulled before the VM starts. */
export function containerDiskInitContainers(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  images?: ImageMap,
): readonly Reasoned<Container>[] {
  if (diskImages(vmi).length === 0) return [];
  const pulls = imagesToServe(vmi, images).map((image) => {
    const why = `has ${image.reference} pulled before the VM starts`;
    return diskContainer(image, { name: `volume${image.name}-init`, args: ['--no-op'], why }, vmi, configuration);
  });
  return [binaryContainer(vmi, configuration), ...pulls];
}

/** A container disk whose volume bears the kernel-boot image's name is left out. */
function imagesToServe(vmi: VirtualMachineInstance, images?: ImageMap): readonly DiskImage[] {
  return diskImages(vmi, images).filter((image) => image.kind === 'kernel-boot' || image.name !== KERNEL_BOOT_VOLUME);
}

function workingDirectory(vmi: VirtualMachineInstance, { process }: ClusterConfiguration): string {
  return `${process.ephemeralDiskDir}/container-disk-data/${vmi.metadata.uid}`;
}

interface Work {
  readonly name: string;
  readonly args: string[];
  readonly why: string;
}

function diskContainer(
  image: DiskImage,
  { name, args, why }: Work,
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): Reasoned<Container> {
  const support = diskResources(vmi, configuration);
  const value = present({
    name,
    image: image.reference,
    imagePullPolicy: unlessBlank(image.pullPolicy),
    command: ['/usr/bin/container-disk'],
    args,
    resources: support.resources,
    securityContext: HELPER_CONTEXT,
    volumeMounts: [
      { name: 'container-disks', mountPath: workingDirectory(vmi, configuration) },
      { name: BINARY_VOLUME, mountPath: '/usr/bin' },
    ],
  });
  return { value, because: [why, support.because] };
}

function binaryContainer(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): Reasoned<Container> {
  const guaranteed = isDedicatedOrGuaranteed(vmi);
  const defaults = {
    requests: { cpu: '10m', memory: '1M' },
    limits: { cpu: guaranteed ? '10m' : '100m', memory: '40M' },
  };
  const support = supportResources(configuration, 'container-disk', defaults, guaranteed);
  const rootContext = { ...ROOT_CONTEXT, capabilities: { drop: ['ALL'] } };
  const value = present({
    name: 'container-disk-binary',
    image: configuration.process.launcherImage,
    imagePullPolicy: configuration.kubevirt.imagePullPolicy,
    command: ['/usr/bin/cp'],
    args: ['--preserve=all', '/usr/bin/container-disk', '/init/usr/bin/container-disk'],
    env: unlessEmpty(userDirectories(vmi)),
    resources: support.resources,
    securityContext: isNonRoot(vmi) ? NON_ROOT_CONTEXT : rootContext,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [{ name: BINARY_VOLUME, mountPath: '/init/usr/bin' }],
  });
  return { value, because: ['brings the program of the containers that serve disk images', support.because] };
}
