/** Frequencies that guests were promised, whatever has become of them (node.md B4). */
import { identityOf } from '../core/identity.ts';
import type { ObjectIndex } from '../core/object-index.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';

/** The one value under which `byTscHint` has VMIs. */
export const HAS_HINT = 'true';

export const byTscHint: ObjectIndex<VirtualMachineInstance> = {
  name: 'tsc-hint',
  valuesOf: (vmi) => (hintOf(vmi) > 0 ? [HAS_HINT] : []),
};

export function hintProjection(vmi: VirtualMachineInstance): VirtualMachineInstance {
  const spec = {} as VirtualMachineInstance['spec'];
  return { ...identityOf(vmi), spec, status: { topologyHints: { tscFrequency: hintOf(vmi) } } };
}

export function frequenciesInUse(vmis: readonly VirtualMachineInstance[]): ReadonlySet<number> {
  return new Set(vmis.map(hintOf).filter((hz) => hz > 0));
}

function hintOf({ status }: VirtualMachineInstance): number {
  return status?.topologyHints?.tscFrequency ?? 0;
}
