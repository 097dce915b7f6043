import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import type { Container, VmiVolume } from '../pod-types.ts';
import { isDedicatedOrGuaranteed } from '../predicates/cpu.ts';
import { volumesOf } from '../predicates/storage.ts';
import { present } from '../present.ts';
import type { Reasoned } from '../reason.ts';
import { supportResources } from '../resources/support-resources.ts';
import { VIRTIOFS_SOCKETS } from '../volumes/conditional-volumes.ts';
import { configVolumePath } from '../volumes/config-volumes.ts';
import { NON_ROOT_CONTEXT } from './security-contexts.ts';

const DEFAULTS = { requests: { cpu: '10m', memory: '1M' }, limits: { cpu: '100m', memory: '80M' } };

/** One daemon per volume that the guest sees as a file system (launcher-pod.md 13.5). */
export function virtiofsContainers(
  vmi: VirtualMachineInstance,
  configuration: ClusterConfiguration,
): readonly Reasoned<Container>[] {
  const names = new Set(vmi.spec.domain.devices?.filesystems?.map((f) => f.name));
  // The volume of a container's own path gets its daemon from a webhook of virt-api.
  const shared = volumesOf(vmi).filter((v) => names.has(v.name) && v.containerPath === undefined);
  const support = supportResources(configuration, 'virtiofs', DEFAULTS, isDedicatedOrGuaranteed(vmi));
  return shared.map((volume) => ({
    because: [`the guest sees volume ${volume.name} as a file system`, support.because],
    value: present({
      name: `virtiofs-${volume.name}`,
      image: configuration.process.launcherImage,
      imagePullPolicy: configuration.kubevirt.imagePullPolicy,
      command: ['/usr/libexec/virtiofsd'],
      args: daemonArguments(volume),
      resources: support.resources,
      securityContext: NON_ROOT_CONTEXT,
      volumeMounts: [
        VIRTIOFS_SOCKETS,
        ...(volume.serviceAccount === undefined ? [{ name: volume.name, mountPath: sharedDirectory(volume) }] : []),
      ],
    }),
  }));
}

function daemonArguments(volume: VmiVolume): string[] {
  return [
    `--socket-path=${VIRTIOFS_SOCKETS.mountPath}/${volume.name}.sock`,
    `--shared-dir=${sharedDirectory(volume)}`,
    '--sandbox=none',
    '--cache=auto',
    '--migration-on-error=guest-error',
    '--migration-mode=find-paths',
    ...(volume.serviceAccount === undefined ? [] : ['--translate-uid=host:107:0:1']),
  ];
}

function sharedDirectory(volume: VmiVolume): string {
  if (volume.serviceAccount !== undefined) return '/var/run/secrets/kubernetes.io/serviceaccount/';
  return configVolumePath(volume) ?? `/${volume.name}`;
}
