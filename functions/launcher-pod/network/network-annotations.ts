/** Annotations for Multus and Istio on the launcher pod (launcher-pod.md 14). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { sha256Hex } from '../../core/digest.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Strings, VmiInterface, VmiNetwork } from '../pod-types.ts';
import { present, unlessBlank } from '../present.ts';
import { attachmentKey } from './attachment-key.ts';
import { interfacesOf, requiredPlugin } from './binding-plugins.ts';

/** Interface of the guest's bridge in the pod: traffic that a service mesh must take from there. */
const MASQUERADE_BRIDGE = 'k6t-eth0';

/** @throws RenderError `unknown-binding-plugin` */
export function networkAnnotations(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): Strings {
  const networks = vmi.spec.networks ?? [];
  const attachments = interfacesOf(vmi)
    .filter((i) => i.state !== 'absent')
    .flatMap((i) => {
      const network = networks.find((n) => n.name === i.name);
      return network === undefined ? [] : attachmentsOf(i, network, vmi, configuration);
    });
  const defaultNetwork = networks.find((n) => n.multus?.default === true)?.multus?.networkName;
  const masquerade = interfacesOf(vmi).some((i) => i.masquerade !== undefined) ? MASQUERADE_BRIDGE : undefined;
  const annotations: Record<string, string | undefined> = present({
    'k8s.v1.cni.cncf.io/networks': attachments.length === 0 ? undefined : JSON.stringify(attachments),
    'v1.multus-cni.io/default-network': defaultNetwork,
    'traffic.sidecar.istio.io/kubevirtInterfaces': masquerade,
    'istio.io/reroute-virtual-interfaces': masquerade,
  });
  return annotations as Strings;
}

/** Members in the order in which they are written. */
interface Attachment {
  readonly name: string;
  readonly namespace: string;
  readonly mac?: string;
  readonly interface?: string;
  readonly 'cni-args'?: { readonly logicNetworkName: string };
}

function attachmentsOf(
  vmiInterface: VmiInterface,
  network: VmiNetwork,
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): readonly Attachment[] {
  const attachments: Attachment[] = [];
  if (network.multus !== undefined && network.multus.default !== true) {
    attachments.push(
      present({
        ...attachmentKey(network.multus.networkName, vmi),
        mac: unlessBlank(vmiInterface.macAddress),
        interface: podInterfaceName(network.name),
      }),
    );
  }
  if (vmiInterface.binding !== undefined) {
    const plugin = requiredPlugin(configuration, vmiInterface.binding.name);
    const reference = unlessBlank(plugin.networkAttachmentDefinition);
    if (reference !== undefined) {
      attachments.push({ ...attachmentKey(reference, vmi), 'cni-args': { logicNetworkName: network.name } });
    }
  }
  return attachments;
}

/** Name of a secondary network's interface in the pod. */
export function podInterfaceName(network: string): string {
  return `pod${sha256Hex(network).slice(0, 11)}`;
}
