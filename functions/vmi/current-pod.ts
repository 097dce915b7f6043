import type { Pod, VirtualMachineInstance } from '../core/objects.ts';

/**
 * The current pod of a VMI among the pods that it owns: on `status.nodeName` if that is set, and the youngest of those
 * (vmi.md 3.2). Finished, dying and temporary pods count.
 */
export function currentPod(vmi: VirtualMachineInstance, pods: readonly Pod[]): Pod | undefined {
  const nodeName = vmi.status?.nodeName ?? '';
  let current: Pod | undefined;
  for (const pod of pods) {
    if (nodeName !== '' && pod.spec.nodeName !== nodeName) continue;
    if (current === undefined || createdMs(pod) > createdMs(current)) current = pod;
  }
  return current;
}

function createdMs(pod: Pod): number {
  return Date.parse(pod.metadata.creationTimestamp ?? '') || 0;
}
