import type { PodSpec } from '../pod-types.ts';

type Toleration = NonNullable<PodSpec['tolerations']>[number];

/** Taints of a node in trouble: a running VM's disks must come to where it is. */
const TROUBLES = ['unschedulable', 'network-unavailable', 'disk-pressure', 'memory-pressure', 'pid-pressure'];

/** The owner's tolerations and those of nodes in trouble, by key; neighbours that are the same are one (launcher-pod.md 17). */
export function attachmentTolerations(owners: readonly Toleration[]): Toleration[] {
  const troubles = TROUBLES.map(
    (taint): Toleration => ({
      key: `node.kubernetes.io/${taint}`,
      operator: 'Exists',
      effect: 'NoSchedule',
    }),
  );
  const sorted = [...troubles, ...owners].toSorted((a, b) => compareTexts(a.key ?? '', b.key ?? ''));
  return sorted.filter((toleration, i) => !same(toleration, sorted[i - 1]));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Tolerations for a limited time are never the same, even where they are equal. */
function same(a: Toleration, b: Toleration | undefined): boolean {
  if (b === undefined || a.tolerationSeconds !== undefined || b.tolerationSeconds !== undefined) return false;
  return (
    a.key === b.key &&
    (a.operator ?? '') === (b.operator ?? '') &&
    (a.value ?? '') === (b.value ?? '') &&
    (a.effect ?? '') === (b.effect ?? '')
  );
}
