/** Command line of the compute container (launcher-pod.md 9.1). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { type FeatureGate, gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { ceil } from '../../core/quantity/arithmetic.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { guestGracePeriodSeconds } from '../grace-period.ts';
import { hypervisorName, usesEmulation } from '../hypervisor.ts';
import type { LauncherPodInput } from '../input.ts';
import { isNonRoot } from '../predicates/user.ts';
import { qemuTimeoutSeconds } from '../qemu-timeout.ts';

const KEEP_ALIVE = 'kubevirt.io/keep-launcher-alive-after-failure';
const FAIL_FAST = 'kubevirt.io/func-test-virt-launcher-fail-fast';
const LOG_FILTERS = 'kubevirt.io/libvirt-log-filters';

/** Switches for gates, in the order in which they are passed. */
const GATE_SWITCHES: readonly (readonly [FeatureGate, string])[] = [
  ['ImageVolume', '--image-volume'],
  ['PodSecondaryInterfaceNamingUpgrade', '--upgrade-ordinal-ifaces'],
  ['VGPULiveMigration', '--vgpu-dedicated-hook'],
  ['VMStatsCollector', '--vm-stats-collector'],
  ['FirmwareAutoSelection', '--firmware-auto-selection'],
];

export function commandLine(
  input: LauncherPodInput,
  hookSidecarCount: number,
): { readonly command: string[]; readonly args: string[] } {
  const { vmi, configuration } = input;
  const temporary = input.variant === 'without-vm';
  const crossArchitecture = gateEnabled(configuration, 'CrossArchitectureVirtualization');
  return {
    command: [
      temporary ? '/bin/bash' : '/usr/bin/virt-launcher-monitor',
      ...only(crossArchitecture, '--allow-cross-arch-emulation'),
    ],
    args: [
      ...(temporary ? ['-c', 'echo', 'bound PVCs'] : launcherArguments(input, hookSidecarCount)),
      ...only(usesEmulation(configuration), '--allow-emulation'),
      ...only(keepsAfterFailure(vmi), '--keep-after-failure'),
      ...only(vmi.metadata.annotations?.[FAIL_FAST] !== undefined, '--simulate-crash'),
    ],
  };
}

function launcherArguments(
  { vmi, configuration, ordinal }: LauncherPodInput,
  hookSidecarCount: number,
): readonly string[] {
  const { process, kubevirt } = configuration;
  const uid = vmi.metadata.uid ?? '';
  const memoryLimit = parseQuantity(kubevirt.developerConfiguration?.diskVerification?.memoryLimit ?? '');
  const filters = vmi.metadata.annotations?.[LOG_FILTERS];
  const settings = [
    ['--qemu-timeout', `${qemuTimeoutSeconds(process.launcherQemuTimeoutSeconds, uid, ordinal)}s`],
    ['--name', vmi.metadata.name],
    ['--uid', uid],
    ['--namespace', vmi.metadata.namespace ?? ''],
    ['--kubevirt-share-dir', process.kubevirtShareDir],
    ['--ephemeral-disk-dir', process.ephemeralDiskDir],
    ['--container-disk-dir', process.containerDiskDir],
    ['--grace-period-seconds', `${guestGracePeriodSeconds(vmi) + 15}`],
    ['--hook-sidecars', `${hookSidecarCount}`],
    ['--ovmf-path', ovmfPath(vmi, configuration)],
    ['--disk-memory-limit', `${ceil(memoryLimit)}`],
    ['--hypervisor', hypervisorName(configuration)],
  ];
  return [
    ...settings.flat(),
    ...only(isNonRoot(vmi), '--run-as-nonroot'),
    ...GATE_SWITCHES.flatMap(([gate, argument]) => only(gateEnabled(configuration, gate), argument)),
    ...(filters === undefined ? [] : ['--libvirt-log-filters', filters]),
  ];
}

/** The old setting wins; architectures without a setting of their own are treated as amd64 (launcher-pod.md 3.2). */
function ovmfPath(vmi: VirtualMachineInstance, { kubevirt }: ClusterConfiguration): string {
  if (kubevirt.ovmfPath !== undefined && kubevirt.ovmfPath !== '') return kubevirt.ovmfPath;
  const { amd64, arm64, s390x } = kubevirt.architectureConfiguration ?? {};
  switch (vmi.spec.architecture ?? '') {
    case 'arm64':
      return arm64?.ovmfPath ?? '';
    case 's390x':
      return s390x?.ovmfPath ?? '';
    default:
      return amd64?.ovmfPath ?? '';
  }
}

function keepsAfterFailure(vmi: VirtualMachineInstance): boolean {
  return Object.entries(vmi.metadata.annotations ?? {}).some(
    ([key, value]) => key.startsWith(KEEP_ALIVE) && (value === '' || value.startsWith('true')),
  );
}

function only(condition: boolean, argument: string): readonly string[] {
  return condition ? [argument] : [];
}
