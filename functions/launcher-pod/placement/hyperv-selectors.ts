import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { SelectorRule } from './node-selector.ts';

const FEATURES = [
  'vpindex',
  'runtime',
  'reset',
  'synic',
  'synictimer',
  'frequencies',
  'reenlightenment',
  'tlbflush',
  'ipi',
] as const;

/** Nodes that offer the Hyper-V features of the guest (launcher-pod.md 7, gate `HypervStrictCheck`). */
export function hypervRules(vmi: VirtualMachineInstance): readonly SelectorRule[] {
  const hyperv = vmi.spec.domain.features?.hyperv;
  if (hyperv === undefined) return [];
  const enabled = FEATURES.filter((name) => hyperv[name]?.enabled === true);
  const rules = enabled.map((name) => ruleFor(`hyperv.node.kubevirt.io/${name}`, name));
  const enlightenedVmcs = hyperv.evmcs !== undefined && hyperv.evmcs.enabled !== false;
  return enlightenedVmcs ? [...rules, ruleFor('cpu-vendor.node.kubevirt.io/Intel', 'evmcs')] : rules;
}

function ruleFor(key: string, feature: string): SelectorRule {
  return { key, value: 'true', because: `features.hyperv.${feature}; gate HypervStrictCheck` };
}
