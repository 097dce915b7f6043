import type { VirtualMachineInstance } from '../../core/objects.ts';

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

/** Labels of nodes that offer the Hyper-V features of the guest (launcher-pod.md 7, gate `HypervStrictCheck`). */
export function hypervSelectors(vmi: VirtualMachineInstance): readonly string[] {
  const hyperv = vmi.spec.domain.features?.hyperv;
  if (hyperv === undefined) return [];
  const enabled = FEATURES.filter((name) => hyperv[name]?.enabled === true);
  const enlightenedVmcs = hyperv.evmcs !== undefined && hyperv.evmcs.enabled !== false;
  return [
    ...enabled.map((name) => `hyperv.node.kubevirt.io/${name}`),
    ...(enlightenedVmcs ? ['cpu-vendor.node.kubevirt.io/Intel'] : []),
  ];
}
