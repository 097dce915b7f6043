/** Predicates and numbers about CPUs (launcher-pod.md 4). */
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { compare, isZero } from '../../core/quantity/arithmetic.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import type { Quantity } from '../../core/quantity/quantity.ts';
import { tscRequirement } from '../../rules/tsc/tsc-requirement.ts';

export function isDedicated(vmi: VirtualMachineInstance): boolean {
  return vmi.spec.domain.cpu?.dedicatedCpuPlacement === true;
}

/** Requests equal limits, for memory and CPU, by what the VMI itself says. */
export function isGuaranteed(vmi: VirtualMachineInstance): boolean {
  const { requests, limits } = vmi.spec.domain.resources ?? {};
  const requestedMemory = quantityOf(requests?.['memory']);
  const memoryLimit = quantityOf(limits?.['memory']);
  const memory = isZero(requestedMemory) ? !isZero(memoryLimit) : same(requestedMemory, memoryLimit);
  const requestedCpu = quantityOf(requests?.['cpu']);
  return memory && !isZero(requestedCpu) && same(requestedCpu, quantityOf(limits?.['cpu']));
}

/** The pod must be of class Guaranteed, and with it all helper containers. */
export function isDedicatedOrGuaranteed(vmi: VirtualMachineInstance): boolean {
  return isDedicated(vmi) || isGuaranteed(vmi);
}

/** Product of the members of the topology that are not zero; 0 if all are. */
export function vcpuCount(vmi: VirtualMachineInstance): number {
  const { cores = 0, sockets = 0, threads = 0 } = vmi.spec.domain.cpu ?? {};
  const given = [cores, sockets, threads].filter((n) => n !== 0);
  return given.length === 0 ? 0 : given.reduce((product, n) => product * n, 1);
}

/** IO threads of the supplemental pool, whatever the policy. */
export function ioThreadCount(vmi: VirtualMachineInstance): number {
  return vmi.spec.domain.ioThreads?.supplementalPoolThreadCount ?? 0;
}

/** The frequency that a node must have, where the guest relies on the time stamp counter ("manual TSC"). */
export function manualTscFrequency(vmi: VirtualMachineInstance): number | undefined {
  const frequency = vmi.status?.topologyHints?.tscFrequency ?? 0;
  return frequency > 0 && tscRequirement(vmi) !== 'none' ? frequency : undefined;
}

function quantityOf(text: string | undefined): Quantity | undefined {
  return text === undefined ? undefined : parseQuantity(text);
}

function same(left: Quantity | undefined, right: Quantity | undefined): boolean {
  return left !== undefined && right !== undefined && compare(left, right) === 0;
}
