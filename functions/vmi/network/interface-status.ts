import type { Pod, VirtualMachineInstance } from '../../core/objects.ts';
import type { InterfaceStatus, Network } from '../vmi-types.ts';
import { addInfoSource, removeInfoSource } from './info-source.ts';
import { multusStatusOf } from './multus-status.ts';
import { DEFAULT_POD_INTERFACE, isDefault, isResourceClaim, isSecondary, podInterfaceNames } from './networks.ts';

/**
 * `status.interfaces` as far as the pod tells (vmi.md 11.4): the default network, secondary networks in the spec's order,
 * networks from resource claims, and what the guest has beside them.
 */
export function interfaceStatus(vmi: VirtualMachineInstance, pod: Pod): readonly InterfaceStatus[] {
  const networks = vmi.spec.networks ?? [];
  const old = vmi.status?.interfaces ?? [];
  const reported = multusStatusOf(pod);
  const names = podInterfaceNames(networks, reported);
  const oldOf = (network: Network) => old.find((i) => i.name === network.name);
  const result: InterfaceStatus[] = [];

  const primary = networks.find(isDefault);
  if (primary !== undefined) {
    const podInterfaceName = reported.find((s) => s.default === true && (s.interface ?? '') !== '')?.interface;
    result.push({
      ...(oldOf(primary) ?? { name: primary.name }),
      podInterfaceName: podInterfaceName ?? DEFAULT_POD_INTERFACE,
    });
  }
  for (const network of networks.filter(isSecondary)) {
    const podInterfaceName = names.get(network.name) ?? '';
    const isReported = reported.some((s) => s.interface === podInterfaceName);
    const entry = oldOf(network);
    if (entry === undefined && !isReported) continue;
    const change = isReported ? addInfoSource : removeInfoSource;
    const infoSource = change(entry?.infoSource, 'multus-status');
    result.push(withInfoSource({ ...entry, name: network.name, podInterfaceName }, infoSource));
  }
  const claimed = new Set(networks.filter(isResourceClaim).map((n) => n.name));
  result.push(...old.filter((i) => claimed.has(i.name ?? '')));
  const known = new Set(networks.map((n) => n.name));
  result.push(...old.filter((i) => !known.has(i.name ?? '')));
  return result;
}

function withInfoSource(entry: InterfaceStatus, infoSource: string): InterfaceStatus {
  const { infoSource: _, ...others } = entry;
  return infoSource === '' ? others : { ...others, infoSource };
}
