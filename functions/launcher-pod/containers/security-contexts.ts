import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { ContainerSecurityContext, EnvVar } from '../pod-types.ts';
import { isNonRoot, QEMU_USER } from '../predicates/user.ts';

/** Helper containers run without root, whoever the VMI runs as (launcher-pod.md 13.2 to 13.5). */
export const HELPER_CONTEXT: ContainerSecurityContext = {
  runAsUser: QEMU_USER,
  runAsNonRoot: true,
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
};

/** Of containers that run as the VMI does, without root, and without capabilities. */
export const NON_ROOT_CONTEXT: ContainerSecurityContext = { ...HELPER_CONTEXT, runAsGroup: QEMU_USER };

export const ROOT_CONTEXT: ContainerSecurityContext = { runAsUser: 0, runAsNonRoot: false };

/** Directories that programs without root may write to (launcher-pod.md 9.2). */
export function userDirectories(vmi: VirtualMachineInstance): readonly EnvVar[] {
  if (!isNonRoot(vmi)) return [];
  return [
    { name: 'XDG_CACHE_HOME', value: '/var/run/kubevirt-private' },
    { name: 'XDG_CONFIG_HOME', value: '/var/run/kubevirt-private' },
    { name: 'XDG_RUNTIME_DIR', value: '/var/run' },
  ];
}
