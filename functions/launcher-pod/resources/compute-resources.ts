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
import type { Reason } from '../reason.ts';
import { automaticMemoryLimit } from './automatic-limits.ts';
import { requestCpu } from './cpu.ts';
import { defaultMemoryRequest, memoryWithHugepages, memoryWithoutHugepages } from './memory.ts';
import { nodeDevices } from './node-devices.ts';
import { resourceClaims } from './resource-claims.ts';
import { amount, bump, closeLedger, increase, increasePresent, ledgerReasons, openLedger } from './resource-ledger.ts';

const EPHEMERAL_STORAGE: Quantity = wholeQuantity(50_000_000n);
const EPHEMERAL_USE = 'for files of the launcher';

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
): { readonly resources: ResourceRequirements; readonly reasons: readonly Reason[] } {
  const ledger = openLedger(vmi.spec.domain.resources);
  increase(ledger.own.requests, 'ephemeral-storage', EPHEMERAL_STORAGE, EPHEMERAL_USE);
  increasePresent(ledger.own.limits, 'ephemeral-storage', EPHEMERAL_STORAGE, EPHEMERAL_USE);
  // Limits alone: the API server makes requests of them.
  for (const { value, because } of nodeDevices(vmi, configuration)) {
    ledger.own.limits.set(value, amount(wholeQuantity(1), ...because));
  }

  defaultMemoryRequest(ledger, vmi, configuration);
  requestCpu(ledger, vmi, configuration, related);
  if (usesHugepages(vmi)) memoryWithHugepages(ledger, vmi, overhead);
  else memoryWithoutHugepages(ledger, vmi, overhead);
  automaticMemoryLimit(ledger, vmi, related);

  for (const resource of networks) bump(ledger, resource, 'a network of Multus');
  for (const name of pluginDeviceNames(gpusOf(vmi))) bump(ledger, name, 'a GPU');
  for (const name of pluginDeviceNames(hostDevicesOf(vmi))) bump(ledger, name, 'a host device');
  if (isSev(vmi)) bump(ledger, 'devices.kubevirt.io/sev', 'launchSecurity.sev or .snp');
  if (isTdx(vmi)) bump(ledger, 'devices.kubevirt.io/tdx', 'launchSecurity.tdx');
  if (disksOf(vmi).some(hasReservation)) bump(ledger, 'devices.kubevirt.io/pr-helper', 'a disk with a reservation');
  if (gateEnabled(configuration, 'IOMMUFD')) bump(ledger, 'devices.kubevirt.io/iommufd', 'gate IOMMUFD');

  const resources = present({
    requests: closeLedger(ledger, 'requests'),
    limits: closeLedger(ledger, 'limits'),
    claims: unlessEmpty(resourceClaims(vmi, configuration)),
  });
  return { resources, reasons: ledgerReasons(ledger) };
}

function pluginDeviceNames(devices: readonly HostDevice[]): readonly string[] {
  return devices.filter(isPluginDevice).map((d) => d.deviceName ?? '');
}
