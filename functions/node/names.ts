/** Labels and annotations that this controller reads or writes (node.md A1). */

export const annotation = { heartbeat: 'kubevirt.io/heartbeat' } as const;

export const label = {
  /** On a node: whether launcher pods may be scheduled there. */
  schedulable: 'kubevirt.io/schedulable',
  /** On a VMI: its node. */
  nodeName: 'kubevirt.io/nodeName',
  /** On a launcher pod: the VMI's uid. */
  createdBy: 'kubevirt.io/created-by',
  /** On pods and DaemonSets of KubeVirt: what they are. */
  role: 'kubevirt.io',
} as const;

/** Values of the label `kubevirt.io`. */
export const role = { agent: 'virt-handler', launcher: 'virt-launcher' } as const;

/** Reason of all events, and of a VMI's status that this controller sets. */
export const NODE_UNRESPONSIVE = 'NodeUnresponsive';
