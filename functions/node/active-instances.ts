import type { ObjectIndex } from '../core/object-index.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import { label } from './names.ts';

const activePhases: ReadonlySet<string | undefined> = new Set(['Scheduled', 'Running']);

/** VMIs that are in the hands of a node's agent, by the node's name (node.md A4, step 4). */
export const byActiveNode: ObjectIndex<VirtualMachineInstance> = {
  name: 'active-node',
  valuesOf: (vmi) => {
    const node = vmi.metadata.labels?.[label.nodeName] ?? '';
    return node !== '' && activePhases.has(vmi.status?.phase) ? [node] : [];
  },
};
