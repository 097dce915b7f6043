import type { VirtualMachineInstance } from '../../core/objects.ts';

const ORDINAL = /^net\d+$/;

/**
 * Whether the pod's interfaces for secondary networks are named by their order, or it is not known how (vm.md 6.1): taking one
 * away would then rename the others.
 */
export function hasOrdinalNames({ spec, status }: VirtualMachineInstance): boolean {
  const secondary = (spec.networks ?? []).filter((n) => n.multus && n.multus.default !== true);
  if (secondary.length === 0) return false;
  const names = secondary.flatMap((n) => status?.interfaces?.find((i) => i.name === n.name)?.podInterfaceName || []);
  const [first] = names;
  return first === undefined || ORDINAL.test(first);
}
