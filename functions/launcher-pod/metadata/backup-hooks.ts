import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Strings } from '../pod-types.ts';

const TRUE_WORDS = ['1', 't', 'T', 'true', 'True', 'TRUE'];

/**
 * Annotations by which Velero freezes the guest's file systems around a backup (launcher-pod.md 15). At creation only the
 * VMI's own annotation can turn them off.
 */
export function backupHookAnnotations(vmi: VirtualMachineInstance): Strings {
  const { name, namespace, annotations } = vmi.metadata;
  if (TRUE_WORDS.includes(annotations?.['kubevirt.io/skip-backup-hooks'] ?? '')) return {};
  const command = (verb: string) =>
    `["/usr/bin/virt-freezer", "--${verb}", "--name", "${name}", "--namespace", "${namespace}"]`;
  return {
    'pre.hook.backup.velero.io/container': 'compute',
    'pre.hook.backup.velero.io/command': command('freeze'),
    'pre.hook.backup.velero.io/timeout': '60s',
    'post.hook.backup.velero.io/container': 'compute',
    'post.hook.backup.velero.io/command': command('unfreeze'),
  };
}
