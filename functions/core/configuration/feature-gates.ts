import type { ClusterConfiguration } from './configuration.ts';

type Stage = 'GA' | 'Beta' | 'Alpha' | 'Deprecated';

/** Gates that virt-controller asks (runtime.md 8.4); all others matter only elsewhere. */
const STAGES = {
  VmiMemoryOverheadReport: 'GA',
  DeclarativeHotplugVolumes: 'Beta',
  ExternalNetResourceInjection: 'Beta',
  GPUsWithDRA: 'Beta',
  HostDevicesWithDRA: 'Beta',
  ImageVolume: 'Beta',
  PasstBinding: 'Beta',
  PodSecondaryInterfaceNamingUpgrade: 'Beta',
  Template: 'Beta',
  ConfigurableHypervisor: 'Alpha',
  ContainerPathVolumes: 'Alpha',
  CrossArchitectureVirtualization: 'Alpha',
  FirmwareAutoSelection: 'Alpha',
  HypervStrictCheck: 'Alpha',
  IOMMUFD: 'Alpha',
  IncrementalBackup: 'Alpha',
  NetworkDevicesWithDRA: 'Alpha',
  OCIExport: 'Alpha',
  Plugins: 'Alpha',
  PortRangesSpec: 'Alpha',
  Root: 'Alpha',
  VGPULiveMigration: 'Alpha',
  VMStatsCollector: 'Alpha',
  DockerSELinuxMCSWorkaround: 'Deprecated',
  HotplugVolumes: 'Deprecated',
} as const satisfies Record<string, Stage>;

export type FeatureGate = keyof typeof STAGES;

/** Whether a gate is on; the first rule that applies decides (runtime.md 8.4). */
export function gateEnabled(configuration: ClusterConfiguration, gate: FeatureGate): boolean {
  const stages: Readonly<Record<string, Stage>> = STAGES;
  const stage = Object.hasOwn(stages, gate) ? stages[gate] : undefined;
  const { featureGates, disabledFeatureGates } = configuration.kubevirt.developerConfiguration ?? {};
  if (stage === undefined) return false;
  if (stage === 'GA') return true;
  if (featureGates?.includes(gate)) return true;
  if (disabledFeatureGates?.includes(gate)) return false;
  return stage === 'Beta';
}
