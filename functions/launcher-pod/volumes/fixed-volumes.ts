import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VolumeMount } from '../pod-types.ts';
import { emptyDir, type VolumeParts, volumeParts } from './volume-parts.ts';

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
  if (!gateEnabled(configuration, 'ImageVolume')) {
    names.push('container-disks');
    mounts.push({ name: 'container-disks', mountPath: containerDiskDir, mountPropagation: 'HostToContainer' });
  }
  return volumeParts({ volumes: names.map(emptyDir), mounts });
}
