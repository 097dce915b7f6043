/** Annotations for Multus and Istio on the launcher pod (launcher-pod.md 14). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { sha256Hex } from '../../core/digest.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Strings } from '../pod-types.ts';
import { present } from '../present.ts';
import { attachmentsOf, NETWORKS_ANNOTATION } from './attachments.ts';
import { interfacesOf } from './binding-plugins.ts';

/** Interface of the guest's bridge in the pod: traffic that a service mesh must take from there. */
const MASQUERADE_BRIDGE = 'k6t-eth0';

/** @throws RenderError `unknown-binding-plugin` */
export function networkAnnotations(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): Strings {
  const networks = vmi.spec.networks ?? [];
  const attachments = interfacesOf(vmi)
    .filter((i) => i.state !== 'absent')
    .flatMap((i) => {
      const network = networks.find((n) => n.name === i.name);
      return network === undefined ? [] : attachmentsOf(i, network, podInterfaceName(network.name), vmi, configuration);
    });
  const defaultNetwork = networks.find((n) => n.multus?.default === true)?.multus?.networkName;
  const masquerade = interfacesOf(vmi).some((i) => i.masquerade !== undefined) ? MASQUERADE_BRIDGE : undefined;
  const annotations: Record<string, string | undefined> = present({
    [NETWORKS_ANNOTATION]: attachments.length === 0 ? undefined : JSON.stringify(attachments),
    'v1.multus-cni.io/default-network': defaultNetwork,
    'traffic.sidecar.istio.io/kubevirtInterfaces': masquerade,
    'istio.io/reroute-virtual-interfaces': masquerade,
  });
  return annotations as Strings;
}

/** Name of a secondary network's interface in the pod. */
export function podInterfaceName(network: string): string {
  return `pod${sha256Hex(network).slice(0, 11)}`;
}
