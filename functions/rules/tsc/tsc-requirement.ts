/** What a guest needs of the time stamp counter of its node (node.md B3). */
import type { VirtualMachineInstance } from '../../core/objects.ts';

/**
 * - `boot`: the guest is told that the counter never changes its pace.
 * - `migration`: the guest would have to be told of a change.
 */
export type TscRequirement = 'boot' | 'migration' | 'none';

export function tscRequirement({ spec }: VirtualMachineInstance): TscRequirement {
  const { cpu, features } = spec.domain;
  const isInvariant = cpu?.features?.some(
    (f) => f.name === 'invtsc' && (f.policy === 'require' || f.policy === 'force'),
  );
  if (isInvariant === true) return 'boot';
  return features?.hyperv?.reenlightenment?.enabled === true ? 'migration' : 'none';
}

/** Whether the guest must be given one frequency on all nodes ("frequency required"). */
export function requiresTscFrequency(vmi: VirtualMachineInstance): boolean {
  return vmi.spec.architecture === 'amd64' && tscRequirement(vmi) !== 'none';
}
