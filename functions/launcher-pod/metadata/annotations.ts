import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { LauncherPodVariant } from '../input.ts';
import type { Strings } from '../pod-types.ts';
import { OVERHEAD_ANNOTATION } from '../resources/memory-overhead.ts';
import { backupHookAnnotations } from './backup-hooks.ts';

const NOT_COPIED = [
  'kubectl.kubernetes.io',
  'kubevirt.io/storage-observed-api-version',
  'kubevirt.io/latest-observed-api-version',
];

/** launcher-pod.md 5, table of annotations; later rows overwrite earlier ones. */
export function podAnnotations(
  vmi: VirtualMachineInstance,
  network: Strings,
  memoryOverheadBytes: bigint,
  variant: LauncherPodVariant,
): Strings {
  const copied = Object.entries(vmi.metadata.annotations ?? {}).filter(
    ([key]) => !NOT_COPIED.some((prefix) => key.startsWith(prefix)),
  );
  return {
    'kubevirt.io/domain': vmi.metadata.name,
    ...Object.fromEntries(copied),
    'kubectl.kubernetes.io/default-container': 'compute',
    'kubevirt.io/migrationTransportUnix': 'true',
    'descheduler.alpha.kubernetes.io/request-evict-only': '',
    ...network,
    ...backupHookAnnotations(vmi),
    ...(variant === 'without-vm' ? { 'kubevirt.io/ephemeral-provisioning': 'true' } : {}),
    [OVERHEAD_ANNOTATION]: `${memoryOverheadBytes}`,
  };
}
