import type { VirtualMachineInstance } from '../../core/objects.ts';
import { userDirectories } from '../containers/security-contexts.ts';
import type { LogVerbosity } from '../log-verbosity.ts';
import type { EnvVar } from '../pod-types.ts';

const DEFAULT_VERBOSITY = 2;
/** Above it, libvirt and virtiofsd log as well. */
const DEBUG_VERBOSITY = 5;

/** Environment of the compute container, in order (launcher-pod.md 9.2). */
export function computeEnvironment(
  vmi: VirtualMachineInstance,
  verbosity: LogVerbosity,
  sharedFilesystemPaths: readonly string[],
): EnvVar[] {
  const { label, cluster, effective } = verbosity;
  const debugs = (name: string) => isTrue(vmi.metadata.labels?.[name]) || effective > DEBUG_VERBOSITY;
  const shared = sharedFilesystemPaths.join(':');
  return [
    ...userDirectories(vmi),
    ...only(shared !== '', 'SHARED_FILESYSTEM_PATHS', shared),
    ...only(label !== undefined || cluster !== DEFAULT_VERBOSITY, 'VIRT_LAUNCHER_LOG_VERBOSITY', label ?? `${cluster}`),
    ...only(debugs('debugLogs'), 'LIBVIRT_DEBUG_LOGS', '1'),
    ...only(debugs('virtiofsdDebugLogs'), 'VIRTIOFSD_DEBUG_LOGS', '1'),
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ];
}

function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true';
}

function only(condition: boolean, name: string, value: string): readonly EnvVar[] {
  return condition ? [{ name, value }] : [];
}
