import type { PatchAction } from '../core/action.ts';
import { leftByFailure } from '../core/context.ts';
import type { Node } from '../core/objects.ts';
import type { Reconcile } from '../core/reconcile.ts';
import { lowestFrequency } from '../rules/tsc/lowest-frequency.ts';
import { tscOf } from '../rules/tsc/node-tsc.ts';
import { frequenciesInUse } from './frequencies-in-use.ts';
import { type LabelChanges, labelChanges } from './node-frequencies.ts';
import type { topology } from './reads.ts';

/** One run of the updater over all nodes (node.md B5). */
export const reconcile: Reconcile<typeof topology> = ({ primary, reads }, _state, context) => {
  const { configuration } = context;
  if (primary?.metadata.namespace !== configuration.installNamespace) return { type: 'done', actions: [] };
  const lowest = lowestFrequency(reads.nodes, reads.occupants, configuration);
  // Only a change of the configuration helps, and that brings the key.
  if (lowest.type === 'unusable') return { type: 'done', actions: [] };

  // No node qualifies: the original offers 0 then (node.md B-D1).
  const required = new Set([...frequenciesInUse(reads.hinted), ...(lowest.hz === 0 ? [] : [lowest.hz])]);
  const patches = reads.nodes.flatMap((node) => {
    const tsc = tscOf(node);
    const changes = tsc === undefined ? {} : labelChanges(node, tsc, required);
    return Object.keys(changes).length === 0 ? [] : [patchOf(node, changes)];
  });
  const failure = context.results.find((r) => r.status === 'failed');
  if (failure === undefined) return { type: 'done', actions: patches };
  const left = patches.filter(({ id }) => leftByFailure(context)?.has(id));
  return { type: 'retry', actions: left, reason: `${failure.id}: ${failure.message}` };
};

function patchOf({ kind, metadata: { name } }: Node, labels: LabelChanges): PatchAction {
  return {
    id: `frequencies of ${name}`,
    verb: 'patch',
    target: { kind, name },
    patch: { type: 'strategic', body: { metadata: { labels } } },
  };
}
