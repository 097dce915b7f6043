import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { ResourceClaim } from '../pod-types.ts';
import { gpusOf, hostDevicesOf, isDraDevice } from '../predicates/devices.ts';
import { present, unlessBlank } from '../present.ts';

interface ClaimRequest {
  readonly claimName?: string;
  readonly requestName?: string;
}

/** Claims of the compute container: GPUs, host devices, networks, in this order (launcher-pod.md 10.2, steps 12, 14, 15). */
export function resourceClaims(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): readonly ResourceClaim[] {
  const requests: ClaimRequest[] = [];
  if (gateEnabled(configuration, 'GPUsWithDRA')) requests.push(...gpusOf(vmi).filter(isDraDevice));
  if (gateEnabled(configuration, 'HostDevicesWithDRA')) requests.push(...hostDevicesOf(vmi).filter(isDraDevice));
  if (gateEnabled(configuration, 'NetworkDevicesWithDRA')) {
    const networks = vmi.spec.networks ?? [];
    requests.push(...networks.flatMap((n) => (n.resourceClaim === undefined ? [] : [n.resourceClaim])));
  }
  return requests.map((r) => present({ name: r.claimName ?? '', request: unlessBlank(r.requestName) }));
}
