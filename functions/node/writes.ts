import { pointer } from '../core/json-patch.ts';
import { Node, VirtualMachineInstance } from '../core/kinds.ts';
import { defineWrites } from '../core/writes.ts';
import { label } from './names.ts';

/** What the node controller writes (node.md A4). */
export const nodeWrites = defineWrites('node', [
  { kind: Node, verbs: ['patch'], fields: [pointer('metadata', 'labels', label.schedulable)] },
  { kind: VirtualMachineInstance, verbs: ['patch'], fields: ['/status/phase', '/status/reason'] },
]);
