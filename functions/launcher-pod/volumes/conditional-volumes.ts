import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { interfacesOf, pluginNamesInUse, registeredPlugin, wantsDeviceInfo } from '../network/binding-plugins.ts';
import type { Volume, VolumeMount } from '../pod-types.ts';
import { usesHugepages, usesVirtiofs } from '../predicates/storage.ts';
import { emptyDir, joinVolumeParts, NO_VOLUMES, type VolumeParts, volumeParts } from './volume-parts.ts';

export const HOOK_SOCKETS: VolumeMount = { name: 'hook-sidecar-sockets', mountPath: '/var/run/kubevirt-hooks' };
export const NETWORK_INFO: VolumeMount = { name: 'network-info-annotation', mountPath: '/etc/podinfo' };
const PLUGIN_SOCKETS: VolumeMount = { name: 'kubevirt-plugin-sockets', mountPath: '/var/run/kubevirt-plugin' };
export const VIRTIOFS_SOCKETS: VolumeMount = {
  name: 'virtiofs-containers',
  mountPath: '/var/run/kubevirt/virtiofs-containers',
};

/** launcher-pod.md 12.8, in its order. `hookSidecarCount`: number of hook sidecars. */
export function conditionalVolumes(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  hookSidecarCount: number,
): VolumeParts {
  const hotplug: VolumeMount = {
    name: 'hotplug-disks',
    mountPath: configuration.process.hotplugDiskDir,
    mountPropagation: 'HostToContainer',
  };
  return joinVolumeParts(
    directory(hookSidecarCount > 0, HOOK_SOCKETS, `sockets of ${hookSidecarCount} hook sidecars`),
    directory(gateEnabled(configuration, 'Plugins'), PLUGIN_SOCKETS, 'gate Plugins'),
    usesHugepages(vmi) ? hugepages() : NO_VOLUMES,
    directory(
      vmi.spec.domain.devices?.disableHotplug !== true,
      hotplug,
      'hotplugged disks; devices.disableHotplug is not set',
    ),
    needsNetworkInfo(vmi, configuration) ? networkInfo() : NO_VOLUMES,
    directory(usesVirtiofs(vmi), VIRTIOFS_SOCKETS, 'sockets of the virtiofs containers'),
  );
}

function directory(condition: boolean, mount: VolumeMount, because: string): VolumeParts {
  return condition ? volumeParts(because, { volumes: [emptyDir(mount.name)], mounts: [mount] }) : NO_VOLUMES;
}

function hugepages(): VolumeParts {
  const mounts = [
    { name: 'hugepages', mountPath: '/dev/hugepages' },
    { name: 'hugetblfs-dir', mountPath: '/dev/hugepages/libvirt/qemu' },
  ];
  const volumes: Volume[] = mounts.map(({ name }) => ({ name, emptyDir: { medium: 'HugePages' } }));
  return volumeParts('domain.memory.hugepages', { volumes, mounts });
}

/** Which devices of the node belong to which network: the VMI controller writes it into the running pod's annotation. */
function needsNetworkInfo(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): boolean {
  const sriov = interfacesOf(vmi).some((i) => i.sriov !== undefined);
  return sriov || pluginNamesInUse(vmi).some((name) => wantsDeviceInfo(registeredPlugin(configuration, name)));
}

function networkInfo(): VolumeParts {
  const fieldRef = { fieldPath: "metadata.annotations['kubevirt.io/network-info']" };
  return volumeParts('an SR-IOV interface, or a binding plugin that wants device info', {
    volumes: [{ name: NETWORK_INFO.name, downwardAPI: { items: [{ path: 'network-info', fieldRef }] } }],
    mounts: [NETWORK_INFO],
  });
}
