import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { type Quantity, wholeQuantity } from '../../core/quantity/quantity.ts';
import type { RelatedObjects } from '../input.ts';
import type { ResourceRequirements } from '../pod-types.ts';
import {
  disksOf,
  gpusOf,
  type HostDevice,
  hasReservation,
  hostDevicesOf,
  isPluginDevice,
} from '../predicates/devices.ts';
import { isSev, isTdx } from '../predicates/launch-security.ts';
import { usesHugepages } from '../predicates/storage.ts';
import { present, unlessEmpty } from '../present.ts';
import { automaticMemoryLimit } from './automatic-limits.ts';
import { requestCpu } from './cpu.ts';
import { defaultMemoryRequest, memoryWithHugepages, memoryWithoutHugepages } from './memory.ts';
import { nodeDevices } from './node-devices.ts';
import { resourceClaims } from './resource-claims.ts';
import { bump, closeLedger, increase, increasePresent, openLedger } from './resource-ledger.ts';

const EPHEMERAL_STORAGE: Quantity = wholeQuantity(50_000_000n);

/**
 * Resources of the compute container (launcher-pod.md 10). The steps build on each other: their order matters.
 *
 * @param networks extended resources behind Multus networks (`networkResources`)
 */
export function computeResources(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  related: RelatedObjects,
  overhead: Quantity,
  networks: readonly string[],
): ResourceRequirements {
  const ledger = openLedger(vmi.spec.domain.resources);
  increase(ledger.own.requests, 'ephemeral-storage', EPHEMERAL_STORAGE);
  increasePresent(ledger.own.limits, 'ephemeral-storage', EPHEMERAL_STORAGE);
  // Limits alone: the API server makes requests of them.
  for (const device of nodeDevices(vmi, configuration)) ledger.own.limits.set(device, wholeQuantity(1));

  defaultMemoryRequest(ledger, vmi, configuration);
  requestCpu(ledger, vmi, configuration, related);
  if (usesHugepages(vmi)) memoryWithHugepages(ledger, vmi, overhead);
  else memoryWithoutHugepages(ledger, vmi, overhead);
  automaticMemoryLimit(ledger, vmi, related);

  for (const resource of networks) bump(ledger, resource);
  for (const name of pluginDeviceNames(gpusOf(vmi))) bump(ledger, name);
  for (const name of pluginDeviceNames(hostDevicesOf(vmi))) bump(ledger, name);
  if (isSev(vmi)) bump(ledger, 'devices.kubevirt.io/sev');
  if (isTdx(vmi)) bump(ledger, 'devices.kubevirt.io/tdx');
  if (disksOf(vmi).some(hasReservation)) bump(ledger, 'devices.kubevirt.io/pr-helper');
  if (gateEnabled(configuration, 'IOMMUFD')) bump(ledger, 'devices.kubevirt.io/iommufd');

  return present({
    requests: closeLedger(ledger, 'requests'),
    limits: closeLedger(ledger, 'limits'),
    claims: unlessEmpty(resourceClaims(vmi, configuration)),
  });
}

function pluginDeviceNames(devices: readonly HostDevice[]): readonly string[] {
  return devices.filter(isPluginDevice).map((d) => d.deviceName ?? '');
}
