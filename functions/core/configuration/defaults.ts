import type { KubeVirtConfiguration } from '../newer-fields.ts';
import type { ClusterConfiguration, ProcessParameters } from './configuration.ts';

/** What virt-controller uses where the KubeVirt object says nothing (runtime.md 8.3, launcher-pod.md 3.2). */
export const defaultKubeVirtConfiguration: KubeVirtConfiguration = {
  imagePullPolicy: 'IfNotPresent',
  cpuRequest: '100m',
  evictionStrategy: 'None',
  vmRolloutStrategy: 'LiveUpdate',
  instancetype: { referencePolicy: 'reference' },
  hypervisors: [{ name: 'kvm' }],
  developerConfiguration: {
    memoryOvercommit: 100,
    cpuAllocationRatio: 10,
    diskVerification: { memoryLimit: '2000Mi' },
    logVerbosity: { virtController: 2, virtLauncher: 2 },
  },
  migrations: {
    parallelMigrationsPerCluster: 5,
    parallelOutboundMigrationsPerNode: 2,
    nodeDrainTaintKey: 'kubevirt.io/drain',
    utilityVolumesTimeout: 150,
    bandwidthPerMigration: '0Mi',
    completionTimeoutPerGiB: 150,
    progressTimeout: 150,
    maxDowntimeMs: 900,
    unsafeMigrationOverride: false,
    allowAutoConverge: false,
    allowPostCopy: false,
  },
  architectureConfiguration: {
    amd64: { machineType: 'q35', ovmfPath: '/usr/share/edk2/ovmf' },
    arm64: { machineType: 'virt', ovmfPath: '/usr/share/AAVMF' },
    s390x: { machineType: 's390-ccw-virtio' },
    defaultArchitecture: '',
  },
  network: { defaultNetworkInterface: 'bridge', permitBridgeInterfaceOnPodNetwork: true },
  liveUpdateConfiguration: { maxHotplugRatio: 4 },
};

/** Values of virt-controller's command line where none are given (runtime.md 9, launcher-pod.md 1.1). */
export const defaultProcessParameters: ProcessParameters = {
  launcherImage: 'virt-launcher',
  exporterImage: 'virt-exportserver',
  launcherQemuTimeoutSeconds: 240,
  imagePullSecret: '',
  kubevirtShareDir: '/var/run/kubevirt',
  ephemeralDiskDir: '/var/run/kubevirt-ephemeral-disks',
  containerDiskDir: '/var/run/kubevirt/container-disks',
  hotplugDiskDir: '/var/run/kubevirt/hotplug-disks',
  sidecarShimImage: '',
  clusterArchitecture: 'amd64',
  additionalLauncherAnnotationsSync: [],
  additionalLauncherLabelsSync: [],
};

/** The configuration of a cluster without a valid KubeVirt object (runtime.md 8.1). */
export function defaultConfiguration(installNamespace: string, process: ProcessParameters): ClusterConfiguration {
  return {
    kubevirt: withDerivedDefaults(defaultKubeVirtConfiguration),
    defaultArchitecture: '',
    installNamespace,
    process,
  };
}

/** Defaults that are other members' values: a migration may disrupt the workload if it may go post-copy (8.3, case 58). */
export function withDerivedDefaults(configuration: KubeVirtConfiguration): KubeVirtConfiguration {
  const { migrations } = configuration;
  const allowWorkloadDisruption = migrations?.allowWorkloadDisruption ?? migrations?.allowPostCopy ?? false;
  return { ...configuration, migrations: { ...migrations, allowWorkloadDisruption } };
}
