import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { hypervisorResource, usesEmulation } from '../hypervisor.ts';
import { interfacesOf } from '../network/binding-plugins.ts';
import type { Reasoned } from '../reason.ts';

/** Devices of the node that the guest cannot do without, one of each (launcher-pod.md 10.2, step 2). */
export function nodeDevices(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): readonly Reasoned<string>[] {
  const { autoattachPodInterface, autoattachVSOCK } = vmi.spec.domain.devices ?? {};
  const interfaces = interfacesOf(vmi);
  const emulated = usesEmulation(configuration);
  const virtio = interfaces.some((i) => (i.model ?? '') === '' || i.model === 'virtio');
  return [
    ...only(interfaces.length > 0 || autoattachPodInterface !== false, 'devices.kubevirt.io/tun', 'has a network'),
    ...only(virtio && !emulated, 'devices.kubevirt.io/vhost-net', 'has a virtio interface'),
    ...only(!emulated, hypervisorResource(configuration), 'runs on the hypervisor'),
    ...only(autoattachVSOCK === true, 'devices.kubevirt.io/vhost-vsock', 'devices.autoattachVSOCK'),
  ];
}

function only(condition: boolean, value: string, because: string): readonly Reasoned<string>[] {
  return condition ? [{ value, because: [because] }] : [];
}
