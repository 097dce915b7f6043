import type { Pod, VirtualMachineInstance } from '../core/objects.ts';
import { controllerOf, isControlledBy } from '../core/owner.ts';

/** The VMI's own pods among those of its node, the dead ones too. */
export function podsOf(vmi: VirtualMachineInstance, pods: readonly Pod[]): readonly Pod[] {
  return pods.filter((pod) => pod.metadata.namespace === vmi.metadata.namespace && isControlledBy(pod, vmi));
}

/**
 * Whether a pod still runs a guest (node.md A6). One that is being deleted does, until its containers have ended; so does one
 * without any container status, and init containers do not count.
 */
export function isAlive(pod: Pod): boolean {
  const { phase, containerStatuses = [] } = pod.status ?? {};
  if (controllerOf(pod)?.kind !== 'VirtualMachineInstance' || phase === 'Failed' || phase === 'Succeeded') return false;
  return containerStatuses.length === 0 || containerStatuses.some((c) => c.state?.terminated === undefined);
}
