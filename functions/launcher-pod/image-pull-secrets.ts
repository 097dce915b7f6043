import type { ClusterConfiguration } from '../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import type { PodSpec } from './pod-types.ts';
import { kernelBootImage, volumesOf } from './predicates/storage.ts';
import { unlessEmpty } from './present.ts';

/** Of container disks, of the kernel-boot image, of the cluster; each once (launcher-pod.md 6). */
export function imagePullSecrets(
  vmi: VirtualMachineInstance,
  { process }: ClusterConfiguration,
): PodSpec['imagePullSecrets'] {
  const names = [
    ...volumesOf(vmi).map((v) => v.containerDisk?.imagePullSecret),
    kernelBootImage(vmi)?.imagePullSecret,
    process.imagePullSecret,
  ];
  const given = names.flatMap((name) => (name === undefined || name === '' ? [] : [name]));
  return unlessEmpty([...new Set(given)].map((name) => ({ name })));
}
