/** Memory of the compute container (launcher-pod.md 10.2, steps 4, 7 and 8). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { add, ceil, compare, isZero } from '../../core/quantity/arithmetic.ts';
import { formatQuantity } from '../../core/quantity/format.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { type Quantity, wholeQuantity } from '../../core/quantity/quantity.ts';
import { OVERHEAD_ANNOTATION } from './memory-overhead.ts';
import { type Amount, amount, increase, increasePresent, quantityIn, type ResourceLedger } from './resource-ledger.ts';

const OVERHEAD = `memory overhead (its terms: annotation ${OVERHEAD_ANNOTATION})`;

/** What the guest needs, where the VMI asks for no memory of its own. */
export function defaultMemoryRequest(
  { own }: ResourceLedger,
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): void {
  const requested = own.requests.get('memory');
  const limit = own.limits.get('memory');
  if (!isZero(requested?.quantity)) return;
  if (limit !== undefined && !isZero(limit.quantity)) {
    own.requests.set('memory', limit);
    return;
  }
  // An explicit zero stays zero.
  if (requested !== undefined) return;
  const base = guestMemory(vmi);
  if (base === undefined || base.quantity.nano <= 0n) return;
  const overcommit = BigInt(configuration.kubevirt.developerConfiguration?.memoryOvercommit ?? 100);
  own.requests.set('memory', overcommit === 100n ? base : reduced(base, overcommit));
}

/** By the guest's memory, else by the size of its huge pages. */
function guestMemory(vmi: VirtualMachineInstance): Amount | undefined {
  const { guest, hugepages } = vmi.spec.domain.memory ?? {};
  if (guest !== undefined) return amountOf(guest, 'memory.guest');
  return hugepages?.pageSize === undefined ? undefined : amountOf(hugepages.pageSize, 'memory.hugepages.pageSize');
}

function amountOf(text: string, member: string): Amount | undefined {
  const quantity = parseQuantity(text);
  return quantity === undefined ? undefined : amount(quantity, `${text} in spec.domain.${member}`);
}

function reduced({ quantity, because }: Amount, overcommit: bigint): Amount {
  const less = wholeQuantity((ceil(quantity) * 100n) / overcommit, quantity.format);
  return amount(less, ...because, `x 100 / memoryOvercommit ${overcommit}`);
}

/** The guest's memory comes from the pool of huge pages; what is left of the request, and the overhead, from elsewhere. */
export function memoryWithHugepages(
  { own, calculated }: ResourceLedger,
  vmi: VirtualMachineInstance,
  overhead: Quantity,
): void {
  const { guest: guestText, hugepages } = vmi.spec.domain.memory ?? {};
  const guest = guestText === undefined ? undefined : parseQuantity(guestText);
  const request = quantityIn(own.requests, 'memory');
  const limit = own.limits.get('memory');
  const pages = guest !== undefined && compare(request, guest) > 0 ? guest : request;
  for (const list of [calculated.requests, calculated.limits]) {
    list.set(`hugepages-${hugepages?.pageSize ?? ''}`, amount(pages, "the guest's memory, from huge pages"));
  }
  own.requests.set('memory', besideHugepages(above(request, guest), overhead));
  if (limit !== undefined) own.limits.set('memory', besideHugepages(above(limit.quantity, guest), overhead));
}

function besideHugepages(rest: Quantity, overhead: Quantity): Amount {
  return amount(
    add(rest, overhead),
    `${formatQuantity(rest)} above the guest's memory, which comes from huge pages`,
    `+ ${formatQuantity(overhead)} ${OVERHEAD}`,
  );
}

export function memoryWithoutHugepages({ own }: ResourceLedger, vmi: VirtualMachineInstance, overhead: Quantity): void {
  if (vmi.spec.domain.resources?.overcommitGuestOverhead === true) {
    increase(
      own.requests,
      'memory',
      wholeQuantity(0),
      'memory overhead: spec.domain.resources.overcommitGuestOverhead',
    );
  } else {
    increase(own.requests, 'memory', overhead, OVERHEAD);
  }
  increasePresent(own.limits, 'memory', overhead, OVERHEAD);
}

/** By how much a value exceeds the guest's memory; without guest memory: nothing. */
function above(value: Quantity, guest: Quantity | undefined): Quantity {
  if (guest === undefined || compare(value, guest) <= 0) return wholeQuantity(0);
  return { nano: value.nano - guest.nano, format: value.format };
}
