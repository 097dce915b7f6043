/** Elements of Multus' annotation (launcher-pod.md 14.2). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { VmiInterface, VmiNetwork } from '../pod-types.ts';
import { present, unlessBlank } from '../present.ts';
import { attachmentKey } from './attachment-key.ts';
import { requiredPlugin } from './binding-plugins.ts';

export const NETWORKS_ANNOTATION = 'k8s.v1.cni.cncf.io/networks';

/** Members in the order in which they are written. */
export interface Attachment {
  readonly name: string;
  readonly namespace: string;
  readonly mac?: string;
  readonly interface?: string;
  readonly 'cni-args'?: { readonly logicNetworkName: string };
}

/** A network that Multus attaches beside the pod's own. */
export function isSecondary(network: VmiNetwork): boolean {
  return network.multus !== undefined && network.multus.default !== true;
}

/**
 * What one network and its interface want attached to the pod.
 *
 * @param podInterface name of a secondary network's interface in the pod
 * @throws RenderError `unknown-binding-plugin`
 */
export function attachmentsOf(
  vmiInterface: VmiInterface | undefined,
  network: VmiNetwork,
  podInterface: string,
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): readonly Attachment[] {
  const attachments: Attachment[] = [];
  if (network.multus !== undefined && isSecondary(network)) {
    attachments.push(
      present({
        ...attachmentKey(network.multus.networkName, vmi),
        mac: unlessBlank(vmiInterface?.macAddress),
        interface: podInterface,
      }),
    );
  }
  if (vmiInterface?.binding !== undefined) {
    const plugin = requiredPlugin(configuration, vmiInterface.binding.name);
    const reference = unlessBlank(plugin.networkAttachmentDefinition);
    if (reference !== undefined) {
      attachments.push({ ...attachmentKey(reference, vmi), 'cni-args': { logicNetworkName: network.name } });
    }
  }
  return attachments;
}
