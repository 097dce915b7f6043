/** Names for the parts of a VMI and of a pod, taken from their types. */
import type { Pod, VirtualMachineInstance } from '../core/objects.ts';

export type VmiSpec = VirtualMachineInstance['spec'];
export type VmiVolume = NonNullable<VmiSpec['volumes']>[number];
export type VmiDisk = NonNullable<VmiSpec['domain']['devices']['disks']>[number];
export type VmiInterface = NonNullable<VmiSpec['domain']['devices']['interfaces']>[number];
export type VmiNetwork = NonNullable<VmiSpec['networks']>[number];
export type VmiProbe = NonNullable<VmiSpec['livenessProbe']>;

export type PodSpec = Pod['spec'];
export type Container = PodSpec['containers'][number];
export type Affinity = NonNullable<PodSpec['affinity']>;
export type EnvVar = NonNullable<Container['env']>[number];
export type ContainerPort = NonNullable<Container['ports']>[number];
export type ContainerProbe = NonNullable<Container['readinessProbe']>;
export type ContainerSecurityContext = NonNullable<Container['securityContext']>;
export type PodSecurityContext = NonNullable<PodSpec['securityContext']>;
export type ResourceRequirements = NonNullable<Container['resources']>;
export type ResourceClaim = NonNullable<ResourceRequirements['claims']>[number];
export type Volume = NonNullable<PodSpec['volumes']>[number];
export type VolumeMount = NonNullable<Container['volumeMounts']>[number];
export type VolumeDevice = NonNullable<Container['volumeDevices']>[number];

/** A list of strings by key: labels, annotations, selectors. */
export type Strings = Readonly<Record<string, string>>;
