import type { ClusterConfiguration } from '../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import { annotation, COMPUTE } from './names.ts';

const PRE = 'pre.hook.backup.velero.io';
const POST = 'post.hook.backup.velero.io';

export const VELERO_KEYS = [
  `${PRE}/container`,
  `${PRE}/command`,
  `${PRE}/timeout`,
  `${POST}/container`,
  `${POST}/command`,
] as const;

const TRUE = ['1', 't', 'T', 'true', 'True', 'TRUE'];

/** Annotations that make Velero freeze the guest's file systems around a backup, unless skipped (vmi.md 8.5). */
export function veleroHooks(vmi: VirtualMachineInstance, configuration: ClusterConfiguration): Record<string, string> {
  const skip = vmi.metadata.annotations?.[annotation.skipBackupHooks] ?? configuration.skipBackupHooks ?? '';
  if (TRUE.includes(skip)) return {};
  return {
    [`${PRE}/container`]: COMPUTE,
    [`${PRE}/command`]: freezer(vmi, '--freeze'),
    [`${PRE}/timeout`]: '60s',
    [`${POST}/container`]: COMPUTE,
    [`${POST}/command`]: freezer(vmi, '--unfreeze'),
  };
}

/** A JSON list with one space after each comma. */
function freezer(vmi: VirtualMachineInstance, verb: string): string {
  const { name, namespace = '' } = vmi.metadata;
  const words = ['/usr/bin/virt-freezer', verb, '--name', name, '--namespace', namespace];
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
}
