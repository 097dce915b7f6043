/** Labels, annotations, finalizers and condition types that this controller reads or writes (vmi.md 1.2, 1.4). */

export const label = {
  createdBy: 'kubevirt.io/created-by',
  nodeName: 'kubevirt.io/nodeName',
  migrationTargetNodeName: 'kubevirt.io/migrationTargetNodeName',
  outdatedLauncherImage: 'kubevirt.io/outdatedLauncherImage',
  memoryHotplugOverheadRatio: 'kubevirt.io/memory-hotplug-overhead-ratio',
} as const;

export const annotation = {
  latestObservedApiVersion: 'kubevirt.io/latest-observed-api-version',
  storageObservedApiVersion: 'kubevirt.io/storage-observed-api-version',
  createMigrationTarget: 'kubevirt.io/create-migration-target',
  ephemeralProvisioning: 'kubevirt.io/ephemeral-provisioning',
  ownerVmiUid: 'kubevirt.io/owner-vmi-uid',
  migrationTransportUnix: 'kubevirt.io/migrationTransportUnix',
  memoryOverheadBytes: 'kubevirt.io/memory-overhead-bytes',
  skipBackupHooks: 'kubevirt.io/skip-backup-hooks',
  networkInfo: 'kubevirt.io/network-info',
  multusNetworks: 'k8s.v1.cni.cncf.io/networks',
  multusNetworkStatus: 'k8s.v1.cni.cncf.io/network-status',
  requestEvictOnly: 'descheduler.alpha.kubernetes.io/request-evict-only',
  evictionInProgress: 'descheduler.alpha.kubernetes.io/eviction-in-progress',
  evict: 'descheduler.alpha.kubernetes.io/evict',
  preferNoEviction: 'descheduler.alpha.kubernetes.io/prefer-no-eviction',
} as const;

export const finalizer = {
  foreground: 'kubevirt.io/foregroundDeleteVirtualMachine',
  deprecatedForeground: 'foregroundDeleteVirtualMachine',
  virtualMachineController: 'kubevirt.io/virtualMachineControllerFinalize',
} as const;

export const condition = {
  ready: 'Ready',
  synchronized: 'Synchronized',
  podScheduled: 'PodScheduled',
  provisioning: 'Provisioning',
  dataVolumesReady: 'DataVolumesReady',
  hotVcpuChange: 'HotVCPUChange',
  hotMemoryChange: 'HotMemoryChange',
  volumesChange: 'VolumesChange',
  migrationRequired: 'MigrationRequired',
  evictionRequested: 'EvictionRequested',
  paused: 'Paused',
  podUnpaused: 'kubevirt.io/virtual-machine-unpaused',
} as const;

/** The launcher pod's main container. */
export const COMPUTE = 'compute';
