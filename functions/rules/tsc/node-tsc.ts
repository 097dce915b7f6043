/** The time stamp counter of a node (node.md B2). */
import { identityOf } from '../../core/identity.ts';
import type { ObjectIndex } from '../../core/object-index.ts';
import type { Node } from '../../core/objects.ts';
import { isOfferedFrequency, SCHEDULABLE, TSC_FREQUENCY, TSC_SCALABLE } from './tsc-labels.ts';

export interface Tsc {
  readonly hz: number;
  readonly isScalable: boolean;
}

/** `undefined`: the node does not say what it has, or says what cannot be read; it takes part in nothing. */
export function tscOf(node: Node): Tsc | undefined {
  const text = node.metadata.labels?.[TSC_FREQUENCY] ?? '';
  const hz = /^\d+$/.test(text) ? Number(text) : 0;
  if (hz === 0 || !Number.isSafeInteger(hz)) return undefined;
  return { hz, isScalable: node.metadata.labels?.[TSC_SCALABLE] === 'true' };
}

/** The one value under which `byTsc` has nodes. */
export const HAS_TSC = 'true';

/** Nodes that have one. */
export const byTsc: ObjectIndex<Node> = {
  name: 'tsc',
  valuesOf: (node) => (tscOf(node) === undefined ? [] : [HAS_TSC]),
};

/** What of a node matters here; what its kubelet writes every few seconds does not. */
export function tscProjection(node: Node): Node {
  const identity = identityOf(node);
  const own = Object.entries(node.metadata.labels ?? {}).filter(
    ([key]) => key === TSC_FREQUENCY || key === TSC_SCALABLE || key === SCHEDULABLE || isOfferedFrequency(key),
  );
  return { ...identity, metadata: { ...identity.metadata, labels: Object.fromEntries(own) } };
}
