/** Command line of the compute container (launcher-pod.md 9.1). */
import type { ClusterConfiguration } from '../../core/configuration/configuration.ts';
import { type FeatureGate, gateEnabled } from '../../core/configuration/feature-gates.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { ceil } from '../../core/quantity/arithmetic.ts';
import { parseQuantity } from '../../core/quantity/parse.ts';
import { guestGracePeriodSeconds } from '../grace-period.ts';
import { hypervisorName, usesEmulation } from '../hypervisor.ts';
import type { LauncherPodInput } from '../input.ts';
import { isNonRoot, whyUser } from '../predicates/user.ts';
import { present } from '../present.ts';
import { qemuTimeoutSeconds } from '../qemu-timeout.ts';
import { type Reason, reason } from '../reason.ts';

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

interface CommandLine {
  readonly command: string[];
  readonly args: string[];
  readonly reasons: readonly Reason[];
}

/** An argument with its value, and why it is passed; no reason where that is plain. */
interface Argument {
  readonly words: readonly string[];
  readonly because?: string;
}

export function commandLine(input: LauncherPodInput, hookSidecarCount: number): CommandLine {
  const { vmi, configuration } = input;
  const temporary = input.variant === 'without-vm';
  const crossArchitecture = gateEnabled(configuration, 'CrossArchitectureVirtualization');
  const passed: readonly Argument[] = [
    ...(temporary ? [{ words: ['-c', 'echo', 'bound PVCs'] }] : launcherArguments(input, hookSidecarCount)),
    ...only(usesEmulation(configuration), '--allow-emulation', 'the cluster: developerConfiguration.useEmulation'),
    ...only(keepsAfterFailure(vmi), '--keep-after-failure', `annotation ${KEEP_ALIVE}`),
    ...only(vmi.metadata.annotations?.[FAIL_FAST] !== undefined, '--simulate-crash', `annotation ${FAIL_FAST}`),
  ];
  const because = passed.flatMap((p) => (p.because === undefined ? [] : [`${p.words.join(' ')}: ${p.because}`]));
  return {
    command: [
      temporary ? '/bin/bash' : '/usr/bin/virt-launcher-monitor',
      ...(crossArchitecture ? ['--allow-cross-arch-emulation'] : []),
    ],
    args: passed.flatMap((p) => p.words),
    reasons: because.length === 0 ? [] : [reason(['spec', 'containers', 'compute', 'args'], ...because)],
  };
}

function launcherArguments(
  { vmi, configuration, ordinal }: LauncherPodInput,
  hookSidecarCount: number,
): readonly Argument[] {
  const { process, kubevirt } = configuration;
  const uid = vmi.metadata.uid ?? '';
  const memoryLimit = parseQuantity(kubevirt.developerConfiguration?.diskVerification?.memoryLimit ?? '');
  const gracePeriod = guestGracePeriodSeconds(vmi);
  const filters = vmi.metadata.annotations?.[LOG_FILTERS];
  const qemuTimeout = qemuTimeoutSeconds(process.launcherQemuTimeoutSeconds, uid, ordinal);
  return [
    setting('--qemu-timeout', `${qemuTimeout}s`, `${process.launcherQemuTimeoutSeconds} + 0 to 119, by the VMI's uid`),
    setting('--name', vmi.metadata.name),
    setting('--uid', uid),
    setting('--namespace', vmi.metadata.namespace ?? ''),
    setting('--kubevirt-share-dir', process.kubevirtShareDir),
    setting('--ephemeral-disk-dir', process.ephemeralDiskDir),
    setting('--container-disk-dir', process.containerDiskDir),
    setting('--grace-period-seconds', `${gracePeriod + 15}`, `${gracePeriod} of the guest + 15`),
    setting('--hook-sidecars', `${hookSidecarCount}`),
    setting('--ovmf-path', ovmfPath(vmi, configuration)),
    setting('--disk-memory-limit', `${ceil(memoryLimit)}`, 'the cluster: diskVerification.memoryLimit, in bytes'),
    setting('--hypervisor', hypervisorName(configuration)),
    ...only(isNonRoot(vmi), '--run-as-nonroot', whyUser(vmi)),
    ...GATE_SWITCHES.flatMap(([gate, word]) => only(gateEnabled(configuration, gate), word, `gate ${gate}`)),
    ...(filters === undefined ? [] : [setting('--libvirt-log-filters', filters, `annotation ${LOG_FILTERS}`)]),
  ];
}

function setting(name: string, value: string, because?: string): Argument {
  return present({ words: [name, value], because });
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

function only(condition: boolean, word: string, because: string): readonly Argument[] {
  return condition ? [{ words: [word], because }] : [];
}
