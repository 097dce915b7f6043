/** Names of pod interfaces that a running guest already has (launcher-pod.md 16.3). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { attachmentsOf, isSecondary, NETWORKS_ANNOTATION } from '../network/attachments.ts';
import { interfacesOf } from '../network/binding-plugins.ts';
import type { Strings } from '../pod-types.ts';
import type { SourcePod } from './source-pod.ts';

const NETWORK_STATUS = 'k8s.v1.cni.cncf.io/network-status';
const ORDINAL_NAME = /^net\d+$/;

/**
 * Where the source's interfaces are numbered and the target's may not be renamed (gate `PodSecondaryInterfaceNamingUpgrade`
 * off), the target's are numbered too: all networks in their order, absent interfaces included. Else nothing.
 *
 * @throws RenderError `unknown-binding-plugin`
 */
export function sourceNetworkAnnotations(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  sourcePod: SourcePod,
): Strings {
  if (gateEnabled(configuration, 'PodSecondaryInterfaceNamingUpgrade') || !isNumbered(sourcePod)) return {};
  let ordinal = 0;
  const attachments = (vmi.spec.networks ?? []).flatMap((network) => {
    if (isSecondary(network)) ordinal++;
    const vmiInterface = interfacesOf(vmi).find((i) => i.name === network.name);
    return attachmentsOf(vmiInterface, network, `net${ordinal}`, vmi, configuration);
  });
  return { [NETWORKS_ANNOTATION]: attachments.length === 0 ? '' : JSON.stringify(attachments) };
}

/** A status that cannot be read counts as empty. */
function isNumbered(sourcePod: SourcePod): boolean {
  let entries: unknown;
  try {
    entries = JSON.parse(sourcePod.metadata.annotations?.[NETWORK_STATUS] ?? '[]');
  } catch {
    return false;
  }
  return Array.isArray(entries) && entries.some((entry) => ORDINAL_NAME.test(interfaceIn(entry)));
}

function interfaceIn(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null || !('interface' in entry)) return '';
  return typeof entry.interface === 'string' ? entry.interface : '';
}
