/** VMIs on nodes: a node that takes no more of them still counts while it has one (node.md B4). */
import { identityOf } from '../../core/identity.ts';
import type { ObjectIndex } from '../../core/object-index.ts';
import type { Node, VirtualMachineInstance } from '../../core/objects.ts';
import { SCHEDULABLE } from './tsc-labels.ts';

/** VMIs in any phase, by `status.nodeName`. */
export const byStatusNode: ObjectIndex<VirtualMachineInstance> = {
  name: 'status-node',
  valuesOf: ({ status }) => ((status?.nodeName ?? '') === '' ? [] : [status?.nodeName ?? '']),
};

/** Names of the nodes for which it matters whether a VMI is there. */
export function unschedulableNodes(nodes: readonly Node[]): readonly string[] {
  return nodes.filter((node) => !isSchedulable(node)).map((node) => node.metadata.name);
}

export function isSchedulable(node: Node): boolean {
  return node.metadata.labels?.[SCHEDULABLE] === 'true';
}

export function occupantProjection(vmi: VirtualMachineInstance): VirtualMachineInstance {
  const spec = {} as VirtualMachineInstance['spec'];
  return { ...identityOf(vmi), spec, status: { nodeName: vmi.status?.nodeName } };
}
