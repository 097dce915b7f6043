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
import { containerReasons } from './containers/explained-container.ts';
import { virtiofsContainers } from './containers/virtiofs.ts';
import { gracePeriodReason, podGracePeriodSeconds } from './grace-period.ts';
import { imagePullSecrets } from './image-pull-secrets.ts';
import type { LauncherPodInput, LauncherPodResult, RenderedPod } from './input.ts';
import { type LogVerbosity, logVerbosityOf } from './log-verbosity.ts';
import { podAnnotations } from './metadata/annotations.ts';
import { hostName } from './metadata/host-name.ts';
import { podLabels } from './metadata/labels.ts';
import { networkAnnotations } from './network/network-annotations.ts';
import { networkResources } from './network/network-resources.ts';
import { podAffinity } from './placement/affinity.ts';
import { nodeSelectorRules, selectorOf, selectorReasons } from './placement/node-selector.ts';
import { reservedClaims } from './placement/persistent-reservation.ts';
import { podSecurityContext, withSelinuxLevel } from './pod-security.ts';
import type { Container, PodSpec } from './pod-types.ts';
import { whyUser } from './predicates/user.ts';
import { present, unlessBlank, unlessEmpty } from './present.ts';
import { type RenderedProbes, renderProbes } from './probes.ts';
import { type Reason, type Reasoned, reason } from './reason.ts';
import { RenderError } from './render-error.ts';
import { computeResources } from './resources/compute-resources.ts';
import { memoryOverhead, overheadReason } from './resources/memory-overhead.ts';
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
import { wellFormed } from './well-formed.ts';

export function renderLauncherPod(input: LauncherPodInput): LauncherPodResult {
  let { vmi } = input;
  try {
    vmi = wellFormed(vmi);
    const early = failingBeforeProbes({ ...input, vmi });
    const probes = renderProbes(vmi);
    vmi = probes.vmi;
    return { type: 'rendered', vmi, ...renderPod({ ...input, vmi }, early, probes) };
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
function failingBeforeProbes({ vmi, configuration, related, images }: LauncherPodInput): EarlyParts {
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
    imageVolumes(vmi, configuration, images),
    conditionalVolumes(vmi, configuration, sidecars.length),
    sidecarVolumes(sidecars),
  );
  return { networks, sidecars, volumes, sharedFilesystemPaths: sharedFilesystemPaths(vmi, related.claims) };
}

interface ReasonedPod {
  readonly pod: RenderedPod;
  readonly reasons: readonly Reason[];
}

function renderPod(input: LauncherPodInput, early: EarlyParts, probes: RenderedProbes): ReasonedPod {
  const { vmi, configuration, related } = input;
  const verbosity = logVerbosityOf(vmi, configuration);
  checkSidecarConfigMaps(vmi, early.sidecars, related.sidecarConfigMaps);
  const network = networkAnnotations(vmi, configuration);

  const overhead = memoryOverhead(vmi, configuration);
  const reserved = reservedClaims(vmi, related.claims);
  const resources = computeResources(vmi, configuration, related, overhead.total, early.networks);
  const compute = computeContainer(input, {
    env: computeEnvironment(vmi, verbosity, early.sharedFilesystemPaths),
    resources: resources.resources,
    probes,
    volumes: early.volumes,
    hookSidecarCount: early.sidecars.length,
  });
  const init = initContainers(input, verbosity);
  const helpers = helperContainers(input, early.sidecars);
  // An SR-IOV webhook adds resources to the first container, which must be compute.
  const containers = [compute.container, ...helpers.map((c) => c.value)];
  const selector = nodeSelectorRules(vmi, configuration);
  const { affinity, reasons: affinityReasons } = podAffinity(vmi, configuration, reserved);
  const pod: RenderedPod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `virt-launcher-${vmi.metadata.name}-`,
      labels: podLabels(vmi, reserved),
      annotations: podAnnotations(vmi, network, ceil(overhead.total), input.variant),
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
      terminationGracePeriodSeconds: podGracePeriodSeconds(vmi),
      ...serviceAccount(vmi),
      imagePullSecrets: imagePullSecrets(vmi, configuration),
      nodeSelector: selectorOf(selector),
      affinity,
      securityContext: podSecurityContext(vmi, configuration),
      initContainers: unlessEmpty(init.map((c) => c.value)),
      containers: [...withSelinuxLevel(containers, configuration)],
      volumes: [...early.volumes.volumes],
    }),
  };
  const reasons = [
    overheadReason(overhead),
    gracePeriodReason(vmi),
    reason(['spec', 'securityContext'], whyUser(vmi)),
    ...selectorReasons(selector),
    ...affinityReasons,
    ...containerReasons('initContainers', init),
    ...compute.reasons,
    ...resources.reasons,
    ...containerReasons('containers', helpers),
    ...early.volumes.reasons,
  ];
  return { pod, reasons };
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

/** What stands behind compute, in the order of launcher-pod.md 13. */
function helperContainers(
  { vmi, configuration, images }: LauncherPodInput,
  sidecars: readonly HookSidecar[],
): readonly Reasoned<Container>[] {
  return [
    ...(gateEnabled(configuration, 'ImageVolume') ? [] : containerDiskContainers(vmi, configuration, images)),
    ...virtiofsContainers(vmi, configuration),
    ...sidecarContainers(vmi, configuration, sidecars),
  ];
}

function initContainers(
  { vmi, configuration, images }: LauncherPodInput,
  verbosity: LogVerbosity,
): readonly Reasoned<Container>[] {
  return [
    ...consoleLogContainers(vmi, configuration, verbosity),
    ...(gateEnabled(configuration, 'ImageVolume')
      ? digestInitContainers(vmi, configuration, images)
      : containerDiskInitContainers(vmi, configuration, images)),
  ];
}
