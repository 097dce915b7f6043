import type { DaemonSet, Pod } from '../core/objects.ts';
import { label, role } from './names.ts';

/**
 * Whether somebody is left on the node to look after its VMIs (node.md A5).
 *
 * | agent pod on the node | DaemonSets of the agent | result |
 * |---|---|---|
 * | in any phase | | `attended` |
 * | none | not exactly one | `unknown` |
 * | none | one, being rolled out | `attended`: the agent may be about to come |
 * | none | one, stable | `orphaned` |
 */
export type OrphanCheck =
  | { readonly type: 'attended' }
  | { readonly type: 'orphaned' }
  | { readonly type: 'unknown'; readonly reason: string };

export function checkOrphans(pods: readonly Pod[], agentSets: readonly DaemonSet[]): OrphanCheck {
  if (pods.some((pod) => pod.metadata.labels?.[label.role] === role.agent)) return { type: 'attended' };
  const [set, second] = agentSets;
  if (set === undefined || second !== undefined) {
    return { type: 'unknown', reason: `${agentSets.length} DaemonSets of the node agent, not one` };
  }
  return isBeingRolledOut(set) ? { type: 'attended' } : { type: 'orphaned' };
}

/** Both counts must differ from the wanted one (case 30): that some other node's agent is not ready says nothing of this node. */
function isBeingRolledOut({ status = {} }: DaemonSet): boolean {
  const { desiredNumberScheduled: desired = 0, currentNumberScheduled = 0, numberReady = 0 } = status;
  return desired !== currentNumberScheduled && desired !== numberReady;
}
