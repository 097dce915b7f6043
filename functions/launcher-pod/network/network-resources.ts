import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { KubeObject, VirtualMachineInstance } from '../../core/objects.ts';
import { RenderError } from '../render-error.ts';
import { attachmentKey } from './attachment-key.ts';

const RESOURCE_NAME = 'k8s.v1.cni.cncf.io/resourceName';

/**
 * Extended resources behind the VMI's Multus networks, one entry per network (launcher-pod.md 10.2, step 10). With gate
 * `ExternalNetResourceInjection` on, a webhook adds them to the pod and no definition is looked at.
 *
 * @throws RenderError `network-attachment-not-found`
 */
export function networkResources(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  attachments: readonly KubeObject[],
): readonly string[] {
  if (gateEnabled(configuration, 'ExternalNetResourceInjection')) return [];
  const byNetwork = new Map<string, string>();
  for (const network of vmi.spec.networks ?? []) {
    if (network.multus === undefined) continue;
    const { name, namespace } = attachmentKey(network.multus.networkName, vmi);
    const attachment = attachments.find((a) => a.metadata.name === name && a.metadata.namespace === namespace);
    if (attachment === undefined) {
      throw new RenderError({ type: 'network-attachment-not-found', key: `${namespace}/${name}` });
    }
    byNetwork.set(network.name, attachment.metadata.annotations?.[RESOURCE_NAME] ?? '');
  }
  return [...byNetwork.values()].filter((resource) => resource !== '');
}
