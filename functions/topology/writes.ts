import { pointer } from '../core/json-patch.ts';
import { Node } from '../core/kinds.ts';
import { defineWrites } from '../core/writes.ts';

/** What the topology updater writes (node.md B5). */
export const topologyWrites = defineWrites('topology', [
  {
    kind: Node,
    verbs: ['patch'],
    fields: [pointer('metadata', 'labels', 'scheduling.node.kubevirt.io/tsc-frequency-*')],
  },
]);
