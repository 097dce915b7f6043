import type { VirtualMachineInstance } from '../../core/objects.ts';
import { NON_ROOT_CONTEXT, ROOT_CONTEXT } from '../containers/security-contexts.ts';
import type { LauncherPodInput } from '../input.ts';
import { interfacesOf } from '../network/binding-plugins.ts';
import type { Container, ContainerPort, ContainerSecurityContext, EnvVar, ResourceRequirements } from '../pod-types.ts';
import { isNonRoot } from '../predicates/user.ts';
import { present, unlessBlank, unlessEmpty } from '../present.ts';
import type { RenderedProbes } from '../probes.ts';
import { type Reason, reason } from '../reason.ts';
import type { VolumeParts } from '../volumes/volume-parts.ts';
import { commandLine } from './launcher-arguments.ts';

export interface ComputeParts {
  readonly env: EnvVar[];
  readonly resources: ResourceRequirements;
  readonly probes: RenderedProbes;
  readonly volumes: VolumeParts;
  readonly hookSidecarCount: number;
}

/** The container in which the VM runs (launcher-pod.md 9). It must be the pod's first. */
export function computeContainer(
  input: LauncherPodInput,
  parts: ComputeParts,
): { readonly container: Container; readonly reasons: readonly Reason[] } {
  const { vmi, configuration } = input;
  const { command, args, reasons } = commandLine(input, parts.hookSidecarCount);
  const container: Container = present({
    name: 'compute',
    image: configuration.process.launcherImage,
    imagePullPolicy: configuration.kubevirt.imagePullPolicy,
    command,
    args,
    ports: unlessEmpty(ports(vmi)),
    env: parts.env,
    resources: parts.resources,
    livenessProbe: parts.probes.liveness,
    readinessProbe: parts.probes.readiness,
    securityContext: securityContext(vmi),
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeDevices: unlessEmpty(parts.volumes.devices),
    volumeMounts: unlessEmpty(parts.volumes.mounts),
  });
  const because = reason(['spec', 'containers', container.name], 'runs the VM');
  return { container, reasons: [because, ...reasons, ...parts.probes.reasons] };
}

/** launcher-pod.md 9.3 */
function securityContext(vmi: VirtualMachineInstance): ContainerSecurityContext {
  return isNonRoot(vmi)
    ? { ...NON_ROOT_CONTEXT, capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] } }
    : { ...ROOT_CONTEXT, capabilities: { add: ['NET_BIND_SERVICE', 'SYS_NICE'] } };
}

/** launcher-pod.md 9.4 */
function ports(vmi: VirtualMachineInstance): readonly ContainerPort[] {
  return interfacesOf(vmi)
    .flatMap((i) => i.ports ?? [])
    .map(({ name, port, protocol }) =>
      present({ name: unlessBlank(name), containerPort: port, protocol: protocol || 'TCP' }),
    );
}
