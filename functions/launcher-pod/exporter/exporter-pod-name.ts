import { boundedName } from '../../core/bounded-name.ts';

/** Name of an export's pod (launcher-pod.md 19). */
export function exporterPodName(exportName: string): string {
  return boundedName('virt-export', exportName);
}
