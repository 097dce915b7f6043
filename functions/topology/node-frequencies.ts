import type { Node } from '../core/objects.ts';
import type { Tsc } from '../rules/tsc/node-tsc.ts';
import { offeredFrequencies, offeredFrequencyLabel } from '../rules/tsc/tsc-labels.ts';

/** A counter is so exact: what is nearer than this counts as equal. */
const TOLERANCE_PER_MILLION = 250;

/** Changes of a node's labels; `null`: the label goes. Empty: all is well. */
export type LabelChanges = Readonly<Record<string, 'true' | null>>;

/**
 * Brings a node's labels in line with what it can give guests (node.md B5, step 3).
 *
 * | frequency | on a scalable node | on another |
 * |---|---|---|
 * | its own | offered | offered |
 * | required, within the tolerance | offered | offered |
 * | required, below | offered | not |
 * | required, above | left as it is | not |
 * | not required | not | not |
 */
export function labelChanges(node: Node, { hz, isScalable }: Tsc, required: ReadonlySet<number>): LabelChanges {
  const tolerance = Math.floor((hz * TOLERANCE_PER_MILLION) / 1_000_000);
  const isNear = (f: number) => Math.abs(f - hz) <= tolerance;
  const wanted = new Set([...required, hz].filter((f) => isScalable || isNear(f)));
  const labels = node.metadata.labels ?? {};
  const changes: Record<string, 'true' | null> = {};
  for (const f of offeredFrequencies(labels)) if (!wanted.has(f)) changes[offeredFrequencyLabel(f)] = null;
  for (const f of wanted) {
    const key = offeredFrequencyLabel(f);
    if ((f <= hz || isNear(f)) && labels[key] !== 'true') changes[key] = 'true';
  }
  return changes;
}
