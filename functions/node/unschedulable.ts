import type { Action } from '../core/action.ts';
import type { Node } from '../core/objects.ts';
import { label } from './names.ts';
import { unresponsiveEvent } from './unresponsive-event.ts';

/** Id of the patch of the node. */
export const UNSCHEDULABLE_ID = 'unschedulable';

/** Whether launcher pods may be scheduled to the node: the label is exactly `true`. */
export function isSchedulable(node: Node): boolean {
  return node.metadata.labels?.[label.schedulable] === 'true';
}

/** Takes the node out of scheduling (node.md A4, step 3). It is the agent that puts it back, with its next heartbeat. */
export function markUnschedulable(node: Node): readonly Action[] {
  return [
    unresponsiveEvent(node, 'Normal', 'The node agent has stopped reporting; the node is marked unschedulable.'),
    {
      id: UNSCHEDULABLE_ID,
      verb: 'patch',
      target: { kind: node.kind, name: node.metadata.name },
      patch: { type: 'strategic', body: { metadata: { labels: { [label.schedulable]: 'false' } } } },
    },
  ];
}
