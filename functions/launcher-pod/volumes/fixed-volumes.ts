import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VolumeMount } from '../pod-types.ts';
import { emptyDir, joinVolumeParts, type VolumeParts, volumeParts } from './volume-parts.ts';

/** Where the launcher keeps what no other container but its helpers sees. */
export const PRIVATE_DIR = '/var/run/kubevirt-private';

/** Volumes of every launcher pod (launcher-pod.md 12.1). */
export function fixedVolumes(configuration: ClusterConfiguration): VolumeParts {
  const { ephemeralDiskDir, kubevirtShareDir, containerDiskDir } = configuration.process;
  const names = ['private', 'public', 'sockets', 'virt-bin-share-dir', 'libvirt-runtime', 'ephemeral-disks'];
  const mounts: VolumeMount[] = [
    { name: 'private', mountPath: PRIVATE_DIR },
    { name: 'public', mountPath: '/var/run/kubevirt' },
    { name: 'ephemeral-disks', mountPath: ephemeralDiskDir },
    { name: 'libvirt-runtime', mountPath: '/var/run/libvirt' },
    { name: 'sockets', mountPath: `${kubevirtShareDir}/sockets` },
  ];
  const fixed = volumeParts('every launcher pod has it', { volumes: names.map(emptyDir), mounts });
  if (gateEnabled(configuration, 'ImageVolume')) return fixed;
  const disks: VolumeMount = {
    name: 'container-disks',
    mountPath: containerDiskDir,
    mountPropagation: 'HostToContainer',
  };
  const served = 'gate ImageVolume is off: containers serve the disk images';
  return joinVolumeParts(fixed, volumeParts(served, { volumes: [emptyDir(disks.name)], mounts: [disks] }));
}
