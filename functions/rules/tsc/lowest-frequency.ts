import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { Node, VirtualMachineInstance } from '../../core/objects.ts';
import { isSchedulable } from './node-occupants.ts';
import { tscOf } from './node-tsc.ts';

export type LowestFrequency =
  /** 0: no node qualifies. */
  { readonly type: 'known'; readonly hz: number } | { readonly type: 'unusable'; readonly reason: string };

/**
 * The frequency that every node of the cluster can give its guests (node.md B4): what the cluster's configuration says, else the
 * lowest of the nodes that are schedulable or have a VMI.
 *
 * @param occupants VMIs on nodes that are not schedulable; others do no harm
 */
export function lowestFrequency(
  nodes: readonly Node[],
  occupants: readonly VirtualMachineInstance[],
  configuration: ClusterConfiguration,
): LowestFrequency {
  const minimum = configuration.kubevirt.developerConfiguration?.minimumClusterTSCFrequency;
  if (minimum !== undefined) {
    if (minimum > 0) return { type: 'known', hz: minimum };
    return { type: 'unusable', reason: `developerConfiguration.minimumClusterTSCFrequency is ${minimum}` };
  }
  const occupied = new Set(occupants.map((vmi) => vmi.status?.nodeName));
  const frequencies = nodes
    .filter((node) => isSchedulable(node) || occupied.has(node.metadata.name))
    .flatMap((node) => tscOf(node)?.hz ?? []);
  return { type: 'known', hz: frequencies.length === 0 ? 0 : Math.min(...frequencies) };
}
