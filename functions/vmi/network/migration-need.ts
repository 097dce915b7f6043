import type { Pod, VirtualMachineInstance } from '../../core/objects.ts';
import type { Interface, InterfaceStatus, Network } from '../vmi-types.ts';
import { hasInfoSource } from './info-source.ts';
import { type MultusStatus, multusStatusOf } from './multus-status.ts';
import { isSecondary } from './networks.ts';

/** Whether a change of the networks takes a live migration: none, one if it is not done otherwise soon, one at once. */
export type MigrationNeed = 'none' | 'pending' | 'immediate';

/** Over secondary networks in the spec's order; the first that needs one decides (vmi.md 11.6). */
export function migrationNeed(vmi: VirtualMachineInstance, pod: Pod): MigrationNeed {
  const reported = multusStatusOf(pod);
  for (const network of (vmi.spec.networks ?? []).filter(isSecondary)) {
    const iface = vmi.spec.domain.devices?.interfaces?.find((i) => i.name === network.name);
    if (iface === undefined) continue;
    const status = vmi.status?.interfaces?.find((i) => i.name === network.name);
    const need = needOf(vmi, network, iface, status, reported);
    if (need !== 'none') return need;
  }
  return 'none';
}

function needOf(
  vmi: VirtualMachineInstance,
  network: Network,
  iface: Interface,
  status: InterfaceStatus | undefined,
  reported: readonly MultusStatus[],
): MigrationNeed {
  if (status === undefined) {
    if (iface.state === 'absent') return 'none';
    return iface.sriov === undefined ? 'pending' : 'immediate';
  }
  const isOnlyInPod = hasInfoSource(status.infoSource, 'multus-status') && !hasInfoSource(status.infoSource, 'domain');
  if (iface.state === 'absent' && isOnlyInPod) return 'pending';
  const inPod = reported.find((s) => (s.interface ?? '') !== '' && s.interface === status.podInterfaceName);
  return inPod !== undefined && !isNamed(vmi, network, inPod.name ?? '') ? 'immediate' : 'none';
}

/** Whether Multus reports the definition that the spec names, with or without its namespace. */
function isNamed(vmi: VirtualMachineInstance, network: Network, reportedName: string): boolean {
  const wanted = network.multus?.networkName ?? '';
  return reportedName === wanted || (!wanted.includes('/') && reportedName === `${vmi.metadata.namespace}/${wanted}`);
}
