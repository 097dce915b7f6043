/** CPU of the compute container (launcher-pod.md 10.2, steps 5 and 6). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { ceil } from '../../core/quantity/arithmetic.ts';
import { NANO, type Quantity, wholeQuantity } from '../../core/quantity/quantity.ts';
import type { RelatedObjects } from '../input.ts';
import { ioThreadCount, isDedicated, vcpuCount } from '../predicates/cpu.ts';
import { wantsAutomaticCpuLimit } from './automatic-limits.ts';
import { amount, increase, increasePresent, quantityIn, type ResourceLedger } from './resource-ledger.ts';

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
    if (vcpus !== 0) list.set('cpu', amount(wholeQuantity(vcpus), `${vcpus} dedicated vCPUs`));
    if (ioThreads !== 0) increasePresent(list, 'cpu', wholeQuantity(ioThreads), 'IO threads');
  }
  if (vmi.spec.domain.cpu?.isolateEmulatorThread === true) {
    const extra = wholeQuantity(emulatorThreads(vmi, quantityIn(own.limits, 'cpu')));
    increase(own.limits, 'cpu', extra, 'for the isolated emulator thread');
    increasePresent(own.requests, 'cpu', extra, 'for the isolated emulator thread');
  }
  const requestedMemory = own.requests.get('memory');
  if (requestedMemory !== undefined) {
    own.limits.set('memory', amount(requestedMemory.quantity, ...requestedMemory.because, 'the limit is the request'));
  }
}

/** One, or two where the annotation asks for an even number of CPUs and one would leave it odd. */
function emulatorThreads(vmi: VirtualMachineInstance, limit: Quantity): number {
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
  const ioThreads = ioThreadCount(vmi);
  const total = BigInt(vcpus + ioThreads);
  if (total === 0n) return;
  const ratio = BigInt(configuration.kubevirt.developerConfiguration?.cpuAllocationRatio ?? 10);
  const cpus = `(${vcpus} vCPUs + ${ioThreads} IO threads)`;
  const share: Quantity = { nano: (total * NANO + ratio - 1n) / ratio, format: 'decimal' };
  calculated.requests.set('cpu', amount(share, `${cpus} / cpuAllocationRatio ${ratio}`));
  if (wantsAutomaticCpuLimit(vmi, configuration, related)) {
    calculated.limits.set('cpu', amount(wholeQuantity(total), `${cpus}: the namespace demands a limit`));
  }
}
