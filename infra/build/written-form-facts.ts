/**
 * What the OpenAPI declarations do not say about the types of the written form (runtime.md 11.1): which members keep an
 * explicit zero value, and which are always written. Read by `written-form-types.ts`.
 *
 * Members are named `Type.member`, types without their OpenAPI prefix.
 */

/**
 * Numbers and booleans of the specs of which a zero value vanishes. All others of the specs are nullable.
 */
export const plainInSpecs: readonly string[] = [
  'CPU.cores',
  'CPU.sockets',
  'CPU.threads',
  'CPU.maxSockets',
  'CPU.dedicatedCpuPlacement',
  'CPU.isolateEmulatorThread',
  'Devices.disableHotplug',
  'DiskTarget.readonly',
  'LunTarget.readonly',
  'LunTarget.reservation',
  'Interface.acpiIndex',
  'FeatureAPIC.endOfInterrupt',
  'FeatureKVM.hidden',
  'ResourceRequirements.overcommitGuestOverhead',
  'MultusNetwork.default',
  'DataVolumeSource.hotpluggable',
  'PersistentVolumeClaimVolumeSource.hotpluggable',
  'MemoryDumpVolumeSource.hotpluggable',
  'Probe.failureThreshold',
  'Probe.initialDelaySeconds',
  'Probe.periodSeconds',
  'Probe.successThreshold',
  'Probe.timeoutSeconds',
  'DataVolumeSpec.finalCheckpoint',
  'MemoryInstancetype.overcommitPercent',
  'VirtualMachinePreferenceSpec.preferSpreadSocketToCoreRatio',
  'ObjectMeta.generation',
];

/** Numbers and booleans of types that stand in statuses only, of which an explicit zero value stays. All others vanish. */
export const nullableInStatuses: readonly string[] = [
  'MigrationConfiguration.*',
  'TopologyHints.tscFrequency',
  'VirtualMachineInstanceStatus.VSOCKCID',
];

/** Strings of which an explicit empty value stays. */
export const nullableStrings: readonly string[] = [
  'VirtualMachineSpec.runStrategy',
  'VirtualMachineStatus.restoreInProgress',
  'VirtualMachineStatus.snapshotInProgress',
  'VirtualMachineMemoryDumpRequest.fileName',
  'VirtualMachineSpec.updateVolumesStrategy',
  'VirtualMachineInstanceSpec.evictionStrategy',
  'VirtualMachineInstanceSpec.startStrategy',
  'DomainSpec.ioThreadsPolicy',
  'DomainSpec.rebootPolicy',
  'InstancetypeMatcher.inferFromVolumeFailurePolicy',
  'PreferenceMatcher.inferFromVolumeFailurePolicy',
  'Clock.timezone',
  'Disk.errorPolicy',
  'PodDNSConfigOption.value',
  'PodResourceClaim.resourceClaimName',
  'PodResourceClaim.resourceClaimTemplateName',
  'GPU.claimName',
  'GPU.requestName',
  'HostDevice.claimName',
  'HostDevice.requestName',
  'TopologySpreadConstraint.nodeAffinityPolicy',
  'TopologySpreadConstraint.nodeTaintsPolicy',
  'TypedLocalObjectReference.apiGroup',
  'TypedObjectReference.apiGroup',
  'TypedObjectReference.namespace',
  'PersistentVolumeClaimSpec.storageClassName',
  'PersistentVolumeClaimSpec.volumeAttributesClassName',
  'PersistentVolumeClaimSpec.volumeMode',
  'StorageSpec.storageClassName',
  'StorageSpec.volumeMode',
  'PersistentVolumeClaimInfo.volumeMode',
  'DataVolumeSourceRef.namespace',
  'DataVolumeSourceRegistry.certConfigMap',
  'DataVolumeSourceRegistry.imageStream',
  'DataVolumeSourceRegistry.pullMethod',
  'DataVolumeSourceRegistry.secretRef',
  'DataVolumeSourceRegistry.url',
  'MigrationConfiguration.network',
  'MigrationConfiguration.nodeDrainTaintKey',
  'CPUInstancetype.model',
  'VirtualMachineInstancetypeSpec.ioThreadsPolicy',
  'CPUPreferences.preferredCPUTopology',
  'SpreadOptions.across',
  'DevicePreferences.preferredPanicDeviceModel',
  'PreferenceRequirements.architecture',
  'VirtualMachinePreferenceSpec.preferredArchitecture',
  'VirtualMachinePreferenceSpec.preferredSubdomain',
];

/** Objects and quantities held by value: written as `{}` and `"0"` when they are absent. */
export const heldByValue: readonly string[] = [
  'VirtualMachine.metadata',
  'VirtualMachine.spec',
  'VirtualMachine.status',
  'VirtualMachineInstance.metadata',
  'VirtualMachineInstance.spec',
  'VirtualMachineInstance.status',
  'VirtualMachineInstanceStatus.guestOSInfo',
  'VirtualMachineInstancetype.metadata',
  'VirtualMachineInstancetype.spec',
  'VirtualMachineInstancetypeSpec.cpu',
  'VirtualMachineInstancetypeSpec.memory',
  'MemoryInstancetype.guest',
  'VirtualMachinePreference.metadata',
  'VirtualMachinePreference.spec',
  'MemoryPreferenceRequirement.guest',
  'VirtualMachineInstanceTemplateSpec.metadata',
  'VirtualMachineInstanceTemplateSpec.spec',
  'VirtualMachineInstanceSpec.domain',
  'DomainSpec.resources',
  'DomainSpec.devices',
  'Features.acpi',
  'DataVolumeTemplateSpec.metadata',
  'DataVolumeTemplateSpec.spec',
  'StorageSpec.resources',
  'PersistentVolumeClaimSpec.resources',
  'SSHPublicKeyAccessCredential.source',
  'SSHPublicKeyAccessCredential.propagationMethod',
  'UserPasswordAccessCredential.source',
  'UserPasswordAccessCredential.propagationMethod',
  'PreferredSchedulingTerm.preference',
  'WeightedPodAffinityTerm.podAffinityTerm',
  'HostDisk.capacity',
  'EmptyDiskSource.capacity',
  'ResourceFieldSelector.divisor',
];

/** Optional by the declarations, and yet written when zero. */
export const writtenAlthoughZero: readonly string[] = ['VirtualMachineInstanceStatus.runtimeUser'];

/** Members that are passed on unread. */
export const leftAsTheyAre: readonly string[] = ['ObjectMeta.managedFields', 'DataVolumeTemplateSpec.status'];

/** Maps to quantities; the declarations call them maps to strings. */
export const quantityMaps: readonly string[] = ['limits', 'requests', 'capacity'];

/** Names that the declarations spell in another way than the API. */
export const renamed: Readonly<Record<string, string>> = {
  'VirtualMachineInstanceStatus.vSOCKCID': 'VSOCKCID',
  'MultusNetwork._default': 'default',
};

/**
 * Members that the custom resource definitions have and the declarations lack, with their codes: times held by value
 * (written as `null` when they are not set, vmi.md 3.4), members that hold a number or a string, and newer ones.
 */
export const undeclared: readonly (readonly [type: string, member: string, code: string])[] = [
  ['VirtualMachineCondition', 'lastProbeTime', 't!'],
  ['VirtualMachineCondition', 'lastTransitionTime', 't!'],
  ['VirtualMachineInstanceCondition', 'lastProbeTime', 't!'],
  ['VirtualMachineInstanceCondition', 'lastTransitionTime', 't!'],
  ['HTTPGetAction', 'port', 'x'],
  ['TCPSocketAction', 'port', 'x'],
  ['Interface', 'portRanges', '[]PortRange'],
  ['PortRange', 'start', 'n!'],
  ['PortRange', 'end', 'n!'],
  ['PortRange', 'protocol', 's!'],
  ['Network', 'resourceClaim', 'NetworkResourceClaim'],
  ['NetworkResourceClaim', 'claimName', 's?'],
  ['NetworkResourceClaim', 'requestName', 's?'],
  ['VirtualMachineInstanceSpec', 'serviceAccountName', 's'],
  ['VirtualMachineInstanceBackupStatus', 'quiesceStatus', 's'],
  ['VirtualMachinePreferenceSpec', 'preferredLaunchSecurity', 'LaunchSecurity'],
  ['MigrationConfiguration', 'maxDowntimeMs', 'n?'],
  ['MigrationConfiguration', 'experimental', 'x'],
];

/** Members that the declarations have and the custom resource definitions no longer do. */
export const withdrawn: readonly string[] = [
  'BackupVolumeInfo.dataEndpoint',
  'BackupVolumeInfo.diskTarget',
  'BackupVolumeInfo.mapEndpoint',
];
