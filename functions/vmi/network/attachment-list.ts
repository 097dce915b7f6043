import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { Pod, VirtualMachineInstance } from '../../core/objects.ts';
import { annotation } from '../names.ts';
import type { Interface } from '../vmi-types.ts';
import { multusStatusOf } from './multus-status.ts';
import { isSecondary, podInterfaceNames } from './networks.ts';

type Configuration = ClusterConfiguration['kubevirt'];

/**
 * The value of `k8s.v1.cni.cncf.io/networks` when secondary networks come or go (vmi.md 11.5); `undefined`: nothing to
 * change. An interface that is absent, or that the status does not know yet, makes a change.
 */
export function attachmentList(
  vmi: VirtualMachineInstance,
  pod: Pod,
  configuration: Configuration,
): string | undefined {
  const interfaces = vmi.spec.domain.devices?.interfaces ?? [];
  const known = new Set(vmi.status?.interfaces?.map((i) => i.name));
  const candidates = interfaces.filter((i) => i.state !== 'absent' && (i.sriov === undefined || known.has(i.name)));
  const isChange = interfaces.some((i) => i.state === 'absent') || candidates.some((i) => !known.has(i.name));
  if (!isChange) return undefined;
  const elements = elementsOf(vmi, pod, candidates, configuration);
  if (elements === undefined) return undefined;
  const value = elements.length === 0 ? '' : JSON.stringify(elements);
  return value === (pod.metadata.annotations?.[annotation.multusNetworks] ?? '') ? undefined : value;
}

/** `undefined`: an interface uses a binding plugin that is not registered. */
function elementsOf(
  vmi: VirtualMachineInstance,
  pod: Pod,
  candidates: readonly Interface[],
  configuration: Configuration,
): readonly object[] | undefined {
  const plugins = configuration.network?.binding ?? {};
  const networks = candidates.flatMap((i) => vmi.spec.networks?.filter((n) => n.name === i.name) ?? []);
  const names = podInterfaceNames(networks, multusStatusOf(pod));
  const elements: object[] = [];
  for (const iface of candidates) {
    const network = networks.find((n) => n.name === iface.name);
    if (network === undefined) continue;
    if (isSecondary(network)) {
      elements.push({
        ...definition(vmi, network.multus?.networkName ?? ''),
        ...(iface.macAddress === undefined || iface.macAddress === '' ? {} : { mac: iface.macAddress }),
        interface: names.get(network.name),
      });
    }
    if (iface.binding === undefined) continue;
    const plugin = plugins[iface.binding.name];
    if (plugin === undefined) return undefined;
    if ((plugin.networkAttachmentDefinition ?? '') === '') continue;
    elements.push({
      ...definition(vmi, plugin.networkAttachmentDefinition ?? ''),
      'cni-args': { logicNetworkName: network.name },
    });
  }
  return elements;
}

/** `<namespace>/<name>`, or a name in the VMI's namespace. */
function definition(vmi: VirtualMachineInstance, text: string): { readonly name: string; readonly namespace: string } {
  const slash = text.indexOf('/');
  return slash < 0
    ? { name: text, namespace: vmi.metadata.namespace ?? '' }
    : { name: text.slice(slash + 1), namespace: text.slice(0, slash) };
}
