/** A migration target never lands where the VM runs already (launcher-pod.md 16.4, step 1). */
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Affinity } from '../pod-types.ts';
import { type MigrationSource, sourceStateOf } from './migration-source.ts';

const HOSTNAME = 'kubernetes.io/hostname';

export function targetAffinity(
  affinity: Affinity | undefined,
  vmi: VirtualMachineInstance,
  source: MigrationSource,
): Affinity {
  return source.type === 'local'
    ? apartFromPodsOf(vmi.metadata.uid ?? '', affinity)
    : notOn(sourceStateOf(vmi)?.node ?? '', affinity);
}

function apartFromPodsOf(vmiUid: string, affinity: Affinity | undefined): Affinity {
  const existing = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const term = { labelSelector: { matchLabels: { 'kubevirt.io/created-by': vmiUid } }, topologyKey: HOSTNAME };
  return {
    ...affinity,
    podAntiAffinity: {
      ...affinity?.podAntiAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: [...existing, term],
    },
  };
}

/** The first of the alternative terms only. */
function notOn(node: string, affinity: Affinity | undefined): Affinity {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const [first, ...others] = required?.nodeSelectorTerms ?? [];
  const requirement = { key: HOSTNAME, operator: 'NotIn', values: [node] };
  const term = { ...first, matchExpressions: [...(first?.matchExpressions ?? []), requirement] };
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term, ...others] },
    },
  };
}
