/** Memory of the compute container (launcher-pod.md 10.2, steps 4, 7 and 8). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { add, ceil, compare, isZero } from '../../core/quantity/arithmetic.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { type Quantity, wholeQuantity } from '../../core/quantity/quantity.ts';
import { increase, increasePresent, type ResourceLedger, ZERO } from './resource-ledger.ts';

/** What the guest needs, where the VMI asks for no memory of its own. */
export function defaultMemoryRequest(
  { own }: ResourceLedger,
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): void {
  const requested = own.requests.get('memory');
  const limit = own.limits.get('memory');
  if (!isZero(requested)) return;
  if (limit !== undefined && !isZero(limit)) {
    own.requests.set('memory', limit);
    return;
  }
  // An explicit zero stays zero.
  if (requested !== undefined) return;
  const { guest, hugepages } = vmi.spec.domain.memory ?? {};
  const base = guestMemory(guest ?? hugepages?.pageSize);
  if (base === undefined || base.nano <= 0n) return;
  const overcommit = BigInt(configuration.kubevirt.developerConfiguration?.memoryOvercommit ?? 100);
  const reduced = overcommit === 100n ? base : wholeQuantity((ceil(base) * 100n) / overcommit, base.format);
  own.requests.set('memory', reduced);
}

/** The guest's memory comes from the pool of huge pages; what is left of the request, and the overhead, from elsewhere. */
export function memoryWithHugepages(
  { own, calculated }: ResourceLedger,
  vmi: VirtualMachineInstance,
  overhead: Quantity,
): void {
  const { guest: guestText, hugepages } = vmi.spec.domain.memory ?? {};
  const guest = guestMemory(guestText);
  const request = own.requests.get('memory') ?? ZERO;
  const limit = own.limits.get('memory');
  const pages = guest !== undefined && compare(request, guest) > 0 ? guest : request;
  calculated.requests.set(`hugepages-${hugepages?.pageSize ?? ''}`, pages);
  calculated.limits.set(`hugepages-${hugepages?.pageSize ?? ''}`, pages);
  own.requests.set('memory', add(above(request, guest), overhead));
  if (limit !== undefined) own.limits.set('memory', add(above(limit, guest), overhead));
}

export function memoryWithoutHugepages({ own }: ResourceLedger, vmi: VirtualMachineInstance, overhead: Quantity): void {
  const overcommitted = vmi.spec.domain.resources?.overcommitGuestOverhead === true;
  increase(own.requests, 'memory', overcommitted ? ZERO : overhead);
  increasePresent(own.limits, 'memory', overhead);
}

function guestMemory(text: string | undefined): Quantity | undefined {
  return text === undefined ? undefined : parseQuantity(text);
}

/** By how much a value exceeds the guest's memory; without guest memory: nothing. */
function above(value: Quantity, guest: Quantity | undefined): Quantity {
  if (guest === undefined || compare(value, guest) <= 0) return ZERO;
  return { nano: value.nano - guest.nano, format: value.format };
}
