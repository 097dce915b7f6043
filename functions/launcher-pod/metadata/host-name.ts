import type { VirtualMachineInstance } from '../../core/objects.ts';

const LONGEST = 63;

/** The pod's host name (launcher-pod.md 5). Nothing is trimmed after the cut: the API server refuses what is invalid. */
export function hostName(vmi: VirtualMachineInstance): string {
  const { hostname } = vmi.spec;
  if (hostname !== undefined && hostname !== '') return hostname;
  const [first = ''] = vmi.metadata.name.split('.');
  return first.slice(0, LONGEST);
}
