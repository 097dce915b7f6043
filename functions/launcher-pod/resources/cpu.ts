/** CPU of the compute container (launcher-pod.md 10.2, steps 5 and 6). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { ceil } from '../../core/quantity/arithmetic.ts';
import { NANO, type Quantity, wholeQuantity } from '../../core/quantity/quantity.ts';
import type { RelatedObjects } from '../input.ts';
import { ioThreadCount, isDedicated, vcpuCount } from '../predicates/cpu.ts';
import { wantsAutomaticCpuLimit } from './automatic-limits.ts';
import { increase, increasePresent, type ResourceLedger } from './resource-ledger.ts';

const EVEN_PARITY = 'alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity';

export function requestCpu(
  ledger: ResourceLedger,
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  related: RelatedObjects,
): void {
  if (isDedicated(vmi)) requestDedicatedCpu(ledger, vmi);
  else requestSharedCpu(ledger, vmi, configuration, related);
}

function requestDedicatedCpu({ own }: ResourceLedger, vmi: VirtualMachineInstance): void {
  const vcpus = vcpuCount(vmi);
  const ioThreads = ioThreadCount(vmi);
  for (const list of [own.requests, own.limits]) {
    if (vcpus === 0) increasePresent(list, 'cpu', wholeQuantity(ioThreads));
    else list.set('cpu', wholeQuantity(vcpus + ioThreads));
  }
  if (vmi.spec.domain.cpu?.isolateEmulatorThread === true) {
    const extra = wholeQuantity(emulatorThreads(vmi, own.limits.get('cpu')));
    increase(own.limits, 'cpu', extra);
    increasePresent(own.requests, 'cpu', extra);
  }
  const requestedMemory = own.requests.get('memory');
  if (requestedMemory !== undefined) own.limits.set('memory', requestedMemory);
}

/** One, or two where the annotation asks for an even number of CPUs and one would leave it odd. */
function emulatorThreads(vmi: VirtualMachineInstance, limit: Quantity | undefined): number {
  const pooled = vmi.spec.domain.ioThreadsPolicy === 'supplementalPool' ? ioThreadCount(vmi) : 0;
  const even = (ceil(limit) + BigInt(pooled)) % 2n === 0n;
  return vmi.metadata.annotations?.[EVEN_PARITY] !== undefined && even ? 2 : 1;
}

function requestSharedCpu(
  { calculated }: ResourceLedger,
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
  related: RelatedObjects,
): void {
  const vcpus = vmi.spec.domain.cpu === undefined ? 1 : vcpuCount(vmi);
  const total = BigInt(vcpus + ioThreadCount(vmi));
  if (total === 0n) return;
  const ratio = BigInt(configuration.kubevirt.developerConfiguration?.cpuAllocationRatio ?? 10);
  calculated.requests.set('cpu', { nano: (total * NANO + ratio - 1n) / ratio, format: 'decimal' });
  if (wantsAutomaticCpuLimit(vmi, configuration, related)) calculated.limits.set('cpu', wholeQuantity(total));
}
