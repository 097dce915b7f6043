/**
 * VMI to launcher pod (launcher-pod.md 5 to 15). Pure: the same input gives the same pod, and the input is left as it is.
 */
import { gateEnabled } from '../core/configuration/feature-gates.ts';
import { ceil } from '../core/quantity/arithmetic.ts';
import { computeContainer } from './compute/compute-container.ts';
import { computeEnvironment } from './compute/environment.ts';
import { consoleLogContainers } from './containers/console-log.ts';
import { containerDiskContainers, containerDiskInitContainers } from './containers/container-disks.ts';
import { digestInitContainers } from './containers/digest-init-containers.ts';
import { virtiofsContainers } from './containers/virtiofs.ts';
import { guestGracePeriodSeconds } from './grace-period.ts';
import { imagePullSecrets } from './image-pull-secrets.ts';
import type { LauncherPodInput, LauncherPodResult, RenderedPod } from './input.ts';
import { type LogVerbosity, logVerbosityOf } from './log-verbosity.ts';
import { podAnnotations } from './metadata/annotations.ts';
import { hostName } from './metadata/host-name.ts';
import { podLabels } from './metadata/labels.ts';
import { networkAnnotations } from './network/network-annotations.ts';
import { networkResources } from './network/network-resources.ts';
import { podAffinity } from './placement/affinity.ts';
import { podNodeSelector } from './placement/node-selector.ts';
import { reservedClaims } from './placement/persistent-reservation.ts';
import { podSecurityContext, withSelinuxLevel } from './pod-security.ts';
import type { Container, PodSpec } from './pod-types.ts';
import { present, unlessBlank, unlessEmpty } from './present.ts';
import { type RenderedProbes, renderProbes } from './probes.ts';
import { RenderError } from './render-error.ts';
import { computeResources } from './resources/compute-resources.ts';
import { memoryOverhead } from './resources/memory-overhead.ts';
import { checkPermittedDevices } from './resources/permitted-devices.ts';
import { serviceAccount } from './service-account.ts';
import { type HookSidecar, hookSidecars } from './sidecars/hook-sidecar.ts';
import { sidecarContainers } from './sidecars/sidecar-containers.ts';
import { checkSidecarConfigMaps, sidecarVolumes } from './sidecars/sidecar-volumes.ts';
import { accessCredentialVolumes } from './volumes/access-credentials.ts';
import { backendStorageVolumes } from './volumes/backend-storage.ts';
import { conditionalVolumes } from './volumes/conditional-volumes.ts';
import { configVolumes } from './volumes/config-volumes.ts';
import { fixedVolumes } from './volumes/fixed-volumes.ts';
import { imageVolumes } from './volumes/image-volumes.ts';
import { sharedFilesystemPaths, vmiVolumes } from './volumes/vmi-volumes.ts';
import { joinVolumeParts, type VolumeParts } from './volumes/volume-parts.ts';

export function renderLauncherPod(input: LauncherPodInput): LauncherPodResult {
  let { vmi } = input;
  try {
    const early = failingBeforeProbes(input);
    const probes = renderProbes(vmi);
    vmi = probes.vmi;
    return { type: 'rendered', pod: renderPod({ ...input, vmi }, early, probes), vmi };
  } catch (error) {
    if (error instanceof RenderError) return { type: 'error', problem: error.problem, message: error.message, vmi };
    throw error;
  }
}

interface EarlyParts {
  readonly networks: readonly string[];
  readonly sidecars: readonly HookSidecar[];
  readonly volumes: VolumeParts;
  readonly sharedFilesystemPaths: readonly string[];
}

/** What can fail while the VMI's probes are still as given, in the order in which it fails (launcher-pod.md 2.1, 2 to 6). */
function failingBeforeProbes({ vmi, configuration, related }: LauncherPodInput): EarlyParts {
  const backendStorage = backendStorageVolumes(vmi, related.backendStorageClaim);
  const networks = networkResources(vmi, configuration, related.networkAttachments);
  checkPermittedDevices(vmi, configuration);
  const sidecars = hookSidecars(vmi, configuration);
  const volumes = joinVolumeParts(
    fixedVolumes(configuration),
    configVolumes(vmi),
    vmiVolumes(vmi, related.claims),
    accessCredentialVolumes(vmi),
    backendStorage,
    imageVolumes(vmi, configuration),
    conditionalVolumes(vmi, configuration, sidecars.length),
    sidecarVolumes(sidecars),
  );
  return { networks, sidecars, volumes, sharedFilesystemPaths: sharedFilesystemPaths(vmi, related.claims) };
}

function renderPod(input: LauncherPodInput, early: EarlyParts, probes: RenderedProbes): RenderedPod {
  const { vmi, configuration, related } = input;
  const verbosity = logVerbosityOf(vmi, configuration);
  checkSidecarConfigMaps(vmi, early.sidecars, related.sidecarConfigMaps);
  const network = networkAnnotations(vmi, configuration);

  const overhead = memoryOverhead(vmi, configuration);
  const reserved = reservedClaims(vmi, related.claims);
  const compute = computeContainer(input, {
    env: computeEnvironment(vmi, verbosity, early.sharedFilesystemPaths),
    resources: computeResources(vmi, configuration, related, overhead, early.networks),
    probes,
    volumes: early.volumes,
    hookSidecarCount: early.sidecars.length,
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `virt-launcher-${vmi.metadata.name}-`,
      labels: podLabels(vmi, reserved),
      annotations: podAnnotations(vmi, network, ceil(overhead), input.variant),
      ownerReferences: [
        {
          apiVersion: 'kubevirt.io/v1',
          kind: 'VirtualMachineInstance',
          name: vmi.metadata.name,
          uid: vmi.metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: present({
      ...takenOver(input),
      hostname: hostName(vmi),
      terminationGracePeriodSeconds: guestGracePeriodSeconds(vmi) + 30,
      ...serviceAccount(vmi),
      imagePullSecrets: imagePullSecrets(vmi, configuration),
      nodeSelector: podNodeSelector(vmi, configuration),
      affinity: podAffinity(vmi, configuration, reserved),
      securityContext: podSecurityContext(vmi, configuration),
      initContainers: unlessEmpty(initContainers(input, verbosity)),
      containers: [...withSelinuxLevel(containers(input, compute, early.sidecars), configuration)],
      volumes: [...early.volumes.volumes],
    }),
  };
}

/** What is the same for all, or as the VMI says (launcher-pod.md 6). */
function takenOver({ vmi, configuration }: LauncherPodInput): Partial<PodSpec> {
  const { spec } = vmi;
  return {
    restartPolicy: 'Never',
    enableServiceLinks: false,
    readinessGates: [{ conditionType: 'kubevirt.io/virtual-machine-unpaused' }],
    subdomain: unlessBlank(spec.subdomain),
    dnsPolicy: unlessBlank(spec.dnsPolicy),
    dnsConfig: spec.dnsConfig,
    schedulerName: unlessBlank(spec.schedulerName),
    tolerations: unlessEmpty(spec.tolerations ?? []),
    topologySpreadConstraints: unlessEmpty(spec.topologySpreadConstraints ?? []),
    priorityClassName: unlessBlank(spec.priorityClassName),
    runtimeClassName: unlessBlank(configuration.kubevirt.defaultRuntimeClass),
    resourceClaims: unlessEmpty(spec.resourceClaims ?? []),
  };
}

/** Order of launcher-pod.md 13; an SR-IOV webhook adds resources to the first, which must be compute. */
function containers(
  { vmi, configuration }: LauncherPodInput,
  compute: Container,
  sidecars: readonly HookSidecar[],
): readonly Container[] {
  return [
    compute,
    ...(gateEnabled(configuration, 'ImageVolume') ? [] : containerDiskContainers(vmi, configuration)),
    ...virtiofsContainers(vmi, configuration),
    ...sidecarContainers(vmi, configuration, sidecars),
  ];
}

function initContainers({ vmi, configuration }: LauncherPodInput, verbosity: LogVerbosity): readonly Container[] {
  return [
    ...consoleLogContainers(vmi, configuration, verbosity),
    ...(gateEnabled(configuration, 'ImageVolume')
      ? digestInitContainers(vmi, configuration)
      : containerDiskInitContainers(vmi, configuration)),
  ];
}
