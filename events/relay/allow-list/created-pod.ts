import { posix } from 'node:path';
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import type { Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { launcherImages } from './owner-images.ts';

type Spec = Pod['spec'];
type Container = Spec['containers'][number];
type Volume = NonNullable<Spec['volumes']>[number];

/** More would be as good as `privileged`. */
const CAPABILITIES: ReadonlySet<string> = new Set(['NET_BIND_SERVICE', 'SYS_NICE']);

const VOLUME_SOURCES: ReadonlySet<string> = new Set([
  'configMap',
  'downwardAPI',
  'emptyDir',
  'hostPath',
  'image',
  'persistentVolumeClaim',
  'secret',
]);

/**
 * Why a pod may not be created; `undefined`: it may. A launcher pod gets no more of its node and namespace than its VMI asks for.
 *
 * `vmi`: the pod's owner, if that is one.
 */
export function podProblem(
  { spec }: Pod,
  vmi: VirtualMachineInstance | undefined,
  configuration: ClusterConfiguration,
): string | undefined {
  const images = launcherImages(vmi, configuration);
  if (spec.hostNetwork === true || spec.hostPID === true || spec.hostIPC === true) return 'namespaces of the host';
  if (!accountsOf(vmi).has(spec.serviceAccountName ?? '') || !accountsOf(vmi).has(spec.serviceAccount ?? ''))
    return 'a foreign service account';
  if ((spec.ephemeralContainers ?? []).length > 0) return 'ephemeral containers';
  for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
    const problem = containerProblem(container, images);
    if (problem !== undefined) return `container ${container.name}: ${problem}`;
  }
  for (const volume of spec.volumes ?? []) {
    const problem = volumeProblem(volume, vmi, images);
    if (problem !== undefined) return `volume ${volume.name}: ${problem}`;
  }
  return undefined;
}

function containerProblem(container: Container, images: ReadonlySet<string>): string | undefined {
  const { image, securityContext, ports, env, envFrom } = container;
  if (image !== undefined && !images.has(image)) return 'a foreign image';
  if (securityContext?.privileged === true) return 'privileged';
  const added = securityContext?.capabilities?.add ?? [];
  if (added.some((capability) => !CAPABILITIES.has(capability))) return 'capabilities';
  if ((ports ?? []).some((port) => (port.hostPort ?? 0) !== 0)) return 'ports of the host';
  const readsSecrets = [
    ...(env ?? []).map((e) => e.valueFrom?.secretKeyRef),
    ...(envFrom ?? []).map((e) => e.secretRef),
  ];
  return readsSecrets.some((ref) => ref !== undefined) ? 'secrets in its environment' : undefined;
}

function volumeProblem(
  volume: Volume,
  vmi: VirtualMachineInstance | undefined,
  images: ReadonlySet<string>,
): string | undefined {
  const other = Object.keys(volume).find((member) => member !== 'name' && !VOLUME_SOURCES.has(member));
  if (other !== undefined) return `a source ${other}`;
  const { image, secret, hostPath } = volume;
  if (image?.reference !== undefined && !images.has(image.reference)) return 'a foreign image';
  if (secret?.secretName !== undefined && !names(vmi?.spec, secret.secretName)) return 'a foreign secret';
  if (hostPath !== undefined && !hostDirectories(vmi).has(hostPath.path)) return 'a foreign path of the host';
  return undefined;
}

/** The service accounts that the VMI names; none is always one of them. */
function accountsOf(vmi: VirtualMachineInstance | undefined): ReadonlySet<string> {
  const { serviceAccountName, volumes } = vmi?.spec ?? {};
  const accounts = (volumes ?? []).map((v) => v.serviceAccount?.serviceAccountName);
  return new Set(['', serviceAccountName ?? '', ...accounts.map((account) => account ?? '')]);
}

/** The directories of the VMI's host disks, the one thing of a node that a launcher mounts (launcher-pod.md 12.4). */
function hostDirectories(vmi: VirtualMachineInstance | undefined): ReadonlySet<string> {
  const paths = (vmi?.spec.volumes ?? []).map((v) => v.hostDisk?.path);
  return new Set(paths.flatMap((path) => (path === undefined ? [] : [directoryOf(path)])));
}

/** What stands before the last slash, in its shortest form. */
function directoryOf(path: string): string {
  const directory = posix.normalize(path.slice(0, path.lastIndexOf('/') + 1));
  return directory.length > 1 && directory.endsWith('/') ? directory.slice(0, -1) : directory;
}

/** Whether some member holds that very text. */
function names(value: unknown, text: string): boolean {
  if (typeof value !== 'object' || value === null) return value === text;
  return Object.values(value).some((v) => names(v, text));
}
