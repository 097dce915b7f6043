/** Frequencies that guests were promised, whatever has become of them (node.md B4). */
import type { ObjectIndex } from '../core/object-index.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';

/** The one value under which `byTscHint` has VMIs. */
export const HAS_HINT = 'true';

export const byTscHint: ObjectIndex<VirtualMachineInstance> = {
  name: 'tsc-hint',
  valuesOf: (vmi) => (hintOf(vmi) > 0 ? [HAS_HINT] : []),
};

export function hintProjection(vmi: VirtualMachineInstance): VirtualMachineInstance {
  const { apiVersion, kind, metadata } = vmi;
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion },
    spec: {} as VirtualMachineInstance['spec'],
    status: { topologyHints: { tscFrequency: hintOf(vmi) } },
  };
}

export function frequenciesInUse(vmis: readonly VirtualMachineInstance[]): ReadonlySet<number> {
  return new Set(vmis.map(hintOf).filter((hz) => hz > 0));
}

function hintOf({ status }: VirtualMachineInstance): number {
  return status?.topologyHints?.tscFrequency ?? 0;
}
