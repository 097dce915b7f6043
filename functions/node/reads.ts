import { defineController, keysFrom } from '../core/controller.ts';
import { DaemonSet, Node, Pod, VirtualMachineInstance } from '../core/kinds.ts';
import type { ObjectIndex } from '../core/object-index.ts';
import type * as objects from '../core/objects.ts';
import { many } from '../core/reads.ts';
import { byActiveNode } from './active-instances.ts';
import { label, role } from './names.ts';
import { agentSetProjection, instanceProjection, nodeProjection, podProjection } from './projections.ts';
import { isSchedulable } from './unschedulable.ts';

/** Pods by the node that they are bound to. */
const byBoundNode: ObjectIndex<objects.Pod> = {
  name: 'bound-node',
  valuesOf: (pod) => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]),
};

/** KubeVirt's own objects by what they are. */
const byRole: ObjectIndex = {
  name: 'role',
  valuesOf: (object) => {
    const value = object.metadata.labels?.[label.role];
    return value === undefined ? [] : [value];
  },
};

/**
 * What the node controller looks at (node.md A3, A4).
 *
 * A node that counts as schedulable is seen alone: whatever its heartbeat says, nothing is done to its VMIs before its label
 * is off. So the many nodes that are well cost next to nothing, and no VMI that starts there wakes this controller.
 */
export const node = defineController({
  name: 'node',
  primary: Node,
  concurrency: 3,
  eventSource: 'node-controller',
  project: nodeProjection,
  keys: [keysFrom(VirtualMachineInstance, byActiveNode.valuesOf)],
  reads: {
    /** In phase Scheduled or Running. */
    instances: many(VirtualMachineInstance).byKey(byActiveNode, nameUnlessSchedulable).only(instanceProjection),
    /** Pods of KubeVirt on the node, whatever their state: launchers and the node's agent. */
    pods: many(Pod).byKey(byBoundNode, nameUnlessSchedulable).only(podProjection),
    /** For the orphan check; a change of it waits for the next minute. */
    agentSets: many(DaemonSet)
      .by(byRole, (n: objects.Node) => (isSchedulable(n) ? undefined : role.agent))
      .only(agentSetProjection)
      .quietly(),
  },
});

function nameUnlessSchedulable(name: string, n: objects.Node | undefined): string | undefined {
  return n !== undefined && isSchedulable(n) ? undefined : name;
}
