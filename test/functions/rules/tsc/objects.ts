import type { Node, VirtualMachineInstance } from '../../../../functions/core/objects.ts';

export interface NodeTraits {
  /** Hz; a text as it stands on the node. */
  readonly tsc?: number | string;
  /** Absent: it is. */
  readonly scalable?: boolean;
  /** Absent: it is. */
  readonly schedulable?: boolean;
  /** Frequencies that it offers, as their labels end. */
  readonly offers?: readonly (number | string)[];
}

export const OFFER = 'scheduling.node.kubevirt.io/tsc-frequency-';

export function tscNode(
  name: string,
  { tsc, scalable = true, schedulable = true, offers = [] }: NodeTraits = {},
): Node {
  const labels = {
    'kubevirt.io/schedulable': `${schedulable}`,
    ...(tsc === undefined ? {} : { 'cpu-timer.node.kubevirt.io/tsc-frequency': `${tsc}` }),
    'cpu-timer.node.kubevirt.io/tsc-scalable': `${scalable}`,
    ...Object.fromEntries(offers.map((f) => [`${OFFER}${f}`, 'true'])),
  };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
}

/** A VMI with this status; its spec asks for nothing. */
export function instance(name: string, status: object, spec: object = {}): VirtualMachineInstance {
  const object = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: 'default' },
    spec: { domain: { devices: {} }, ...spec },
    status,
  };
  return object as unknown as VirtualMachineInstance;
}
