/**
 * The types of the written form; `members.ts` says how to read them.
 *
 * Written by infra/build/generate-written-form.ts. Do not edit.
 */
export const types = {
  ACPI: 'msdmNameRef:s slicNameRef:s',
  AccessCredential: 'sshPublicKey:SSHPublicKeyAccessCredential userPassword:UserPasswordAccessCredential',
  AccessCredentialSecretSource: 'secretName:s!',
  AddVolumeOptions: 'disk:Disk dryRun:[]s name:s! volumeSource:HotplugVolumeSource',
  Affinity: 'nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity',
  BIOS: 'useSerial:b?',
  BackupVolumeInfo: 'volumeName:s!',
  BlockSize: 'custom:CustomBlockSize matchVolume:FeatureState',
  Bootloader: 'bios:BIOS efi:EFI',
  CDRomTarget: 'bus:s readonly:b? tray:s',
  CPU: 'cores:n dedicatedCpuPlacement:b features:[]CPUFeature isolateEmulatorThread:b maxSockets:n model:s numa:NUMA realtime:Realtime sockets:n threads:n',
  CPUFeature: 'name:s! policy:s',
  CPUInstancetype:
    'dedicatedCPUPlacement:b? guest:n! isolateEmulatorThread:b? maxSockets:n? model:s? numa:NUMA realtime:Realtime',
  CPUPreferenceRequirement: 'guest:n!',
  CPUPreferences: 'preferredCPUFeatures:[]CPUFeature preferredCPUTopology:s? spreadOptions:SpreadOptions',
  CPUTopology: 'cores:n sockets:n threads:n',
  CdiDataVolumeSource:
    'blank:o gcs:DataVolumeSourceGCS http:DataVolumeSourceHTTP imageio:DataVolumeSourceImageIO pvc:DataVolumeSourcePVC registry:DataVolumeSourceRegistry s3:DataVolumeSourceS3 snapshot:DataVolumeSourceSnapshot upload:o vddk:DataVolumeSourceVDDK',
  ChangedBlockTrackingStatus: 'backupStatus:VirtualMachineInstanceBackupStatus state:s!',
  Chassis: 'asset:s manufacturer:s serial:s sku:s version:s',
  Clock: 'timer:Timer timezone:s? utc:ClockOffsetUTC',
  ClockOffset: 'timezone:s utc:ClockOffsetUTC',
  ClockOffsetUTC: 'offsetSeconds:n?',
  ClockPreferences: 'preferredClockOffset:ClockOffset preferredTimer:Timer',
  CloudInitConfigDriveSource:
    'networkData:s networkDataBase64:s networkDataSecretRef:LocalObjectReference secretRef:LocalObjectReference userData:s userDataBase64:s',
  CloudInitNoCloudSource:
    'networkData:s networkDataBase64:s networkDataSecretRef:LocalObjectReference secretRef:LocalObjectReference userData:s userDataBase64:s',
  ConfigMapVolumeSource: 'name:s optional:b? volumeLabel:s',
  ContainerDiskInfo: 'checksum:n',
  ContainerDiskSource: 'image:s! imagePullPolicy:s imagePullSecret:s path:s',
  ContainerPathVolumeSource: 'path:s! readOnly:b?',
  ControllerRevisionRef: 'name:s',
  CorePersistentVolumeClaimVolumeSource: 'claimName:s! readOnly:b?',
  CustomBlockSize: 'discardGranularity:n? logical:n? physical:n?',
  DHCPOptions: 'bootFileName:s ntpServers:[]s privateOptions:[]DHCPPrivateOptions tftpServerName:s',
  DHCPPrivateOptions: 'option:n! value:s!',
  DataVolumeCheckpoint: 'current:s! previous:s!',
  DataVolumeSource: 'hotpluggable:b name:s!',
  DataVolumeSourceGCS: 'secretRef:s url:s!',
  DataVolumeSourceHTTP: 'certConfigMap:s extraHeaders:[]s secretExtraHeaders:[]s secretRef:s url:s!',
  DataVolumeSourceImageIO: 'certConfigMap:s diskId:s! insecureSkipVerify:b? secretRef:s url:s!',
  DataVolumeSourcePVC: 'name:s! namespace:s!',
  DataVolumeSourceRef: 'kind:s! name:s! namespace:s?',
  DataVolumeSourceRegistry:
    'certConfigMap:s? imageStream:s? platform:PlatformOptions pullMethod:s? secretRef:s? url:s?',
  DataVolumeSourceS3: 'certConfigMap:s secretRef:s url:s!',
  DataVolumeSourceSnapshot: 'name:s! namespace:s!',
  DataVolumeSourceVDDK: 'backingFile:s extraArgs:s initImageURL:s secretRef:s thumbprint:s url:s uuid:s',
  DataVolumeSpec:
    'checkpoints:[]DataVolumeCheckpoint contentType:s finalCheckpoint:b preallocation:b? priorityClassName:s pvc:PersistentVolumeClaimSpec source:CdiDataVolumeSource sourceRef:DataVolumeSourceRef storage:StorageSpec',
  DataVolumeTemplateSpec: 'apiVersion:s kind:s metadata:ObjectMeta! spec:DataVolumeSpec! status:x',
  DeviceAttribute: 'mDevUUID:s pciAddress:s',
  DevicePreferences:
    'preferredAutoattachGraphicsDevice:b? preferredAutoattachInputDevice:b? preferredAutoattachMemBalloon:b? preferredAutoattachPodInterface:b? preferredAutoattachSerialConsole:b? preferredBlockMultiQueue:b? preferredCdromBus:s preferredDisableHotplug:b? preferredDiskBlockSize:BlockSize preferredDiskBus:s preferredDiskCache:s preferredDiskDedicatedIoThread:b? preferredDiskIO:s preferredInputBus:s preferredInputType:s preferredInterfaceMasquerade:o preferredInterfaceModel:s preferredLunBus:s preferredNetworkInterfaceMultiQueue:b? preferredPanicDeviceModel:s? preferredRng:o preferredSoundModel:s preferredTPM:TPMDevice preferredUseVirtioTransitional:b? preferredVideoType:s preferredVirtualGPUOptions:VGPUOptions',
  DeviceResourceClaimStatus: 'attributes:DeviceAttribute name:s resourceClaimName:s',
  DeviceStatus: 'gpuStatuses:[]DeviceStatusInfo hostDeviceStatuses:[]DeviceStatusInfo',
  DeviceStatusInfo: 'deviceResourceClaimStatus:DeviceResourceClaimStatus name:s!',
  Devices:
    'autoattachGraphicsDevice:b? autoattachInputDevice:b? autoattachMemBalloon:b? autoattachPodInterface:b? autoattachSerialConsole:b? autoattachVSOCK:b? blockMultiQueue:b? clientPassthrough:o disableHotplug:b disks:[]Disk downwardMetrics:o filesystems:[]Filesystem gpus:[]GPU hostDevices:[]HostDevice inputs:[]Input interfaces:[]Interface logSerialConsole:b? networkInterfaceMultiqueue:b? panicDevices:[]PanicDevice rng:o sound:SoundDevice tpm:TPMDevice useVirtioTransitional:b? video:VideoDevice watchdog:Watchdog',
  Diag288Watchdog: 'action:s',
  Disk: 'blockSize:BlockSize bootOrder:n? cache:s cdrom:CDRomTarget changedBlockTracking:b? dedicatedIOThread:b? disk:DiskTarget errorPolicy:s? io:s lun:LunTarget name:s! serial:s shareable:b? tag:s',
  DiskIOThreads: 'supplementalPoolThreadCount:n?',
  DiskTarget: 'bus:s pciAddress:s readonly:b',
  DomainMemoryDumpInfo: 'claimName:s endTimestamp:t startTimestamp:t targetFileName:s',
  DomainSpec:
    'chassis:Chassis clock:Clock cpu:CPU devices:Devices! features:Features firmware:Firmware ioThreads:DiskIOThreads ioThreadsPolicy:s? launchSecurity:LaunchSecurity machine:Machine memory:Memory rebootPolicy:s? resources:ResourceRequirements!',
  DownwardAPIVolumeFile: 'fieldRef:ObjectFieldSelector mode:n? path:s! resourceFieldRef:ResourceFieldSelector',
  DownwardAPIVolumeSource: 'fields:[]DownwardAPIVolumeFile volumeLabel:s',
  EFI: 'persistent:b? secureBoot:b?',
  EmptyDiskSource: 'capacity:q!',
  EphemeralVolumeSource: 'persistentVolumeClaim:CorePersistentVolumeClaimVolumeSource',
  ExecAction: 'command:[]s',
  FeatureAPIC: 'enabled:b? endOfInterrupt:b',
  FeatureHyperv:
    'evmcs:FeatureState frequencies:FeatureState ipi:FeatureState reenlightenment:FeatureState relaxed:FeatureState reset:FeatureState runtime:FeatureState spinlocks:FeatureSpinlocks synic:FeatureState synictimer:SyNICTimer tlbflush:TLBFlush vapic:FeatureState vendorid:FeatureVendorID vpindex:FeatureState',
  FeatureKVM: 'hidden:b',
  FeaturePreferences:
    'preferredAcpi:FeatureState preferredApic:FeatureAPIC preferredHyperv:FeatureHyperv preferredKvm:FeatureKVM preferredPvspinlock:FeatureState preferredSmm:FeatureState',
  FeatureSpinlocks: 'enabled:b? spinlocks:n?',
  FeatureState: 'enabled:b?',
  FeatureVendorID: 'enabled:b? vendorid:s',
  Features:
    'acpi:FeatureState! apic:FeatureAPIC hyperv:FeatureHyperv hypervPassthrough:HyperVPassthrough kvm:FeatureKVM pvspinlock:FeatureState smm:FeatureState',
  Filesystem: 'name:s! virtiofs:o',
  Firmware: 'acpi:ACPI bootloader:Bootloader kernelBoot:KernelBoot serial:s uuid:s',
  FirmwarePreferences:
    'preferredEfi:EFI preferredUseBios:b? preferredUseBiosSerial:b? preferredUseEfi:b? preferredUseSecureBoot:b?',
  GPU: 'claimName:s? deviceName:s name:s! requestName:s? tag:s virtualGPUOptions:VGPUOptions',
  HPETTimer: 'present:b? tickPolicy:s',
  HTTPGetAction: 'host:s httpHeaders:[]HTTPHeader path:s port:x scheme:s',
  HTTPHeader: 'name:s! value:s!',
  HostDevice: 'claimName:s? deviceName:s name:s! requestName:s? tag:s',
  HostDisk: 'capacity:q! path:s! shared:b? type:s!',
  HotplugVolumeSource: 'dataVolume:DataVolumeSource persistentVolumeClaim:PersistentVolumeClaimVolumeSource',
  HotplugVolumeStatus: 'attachPodName:s attachPodUID:s',
  Hugepages: 'pageSize:s',
  HyperVPassthrough: 'enabled:b?',
  HypervTimer: 'present:b?',
  I6300ESBWatchdog: 'action:s',
  InitrdInfo: 'checksum:n',
  Input: 'bus:s name:s! type:s!',
  InstancetypeMatcher: 'inferFromVolume:s inferFromVolumeFailurePolicy:s? kind:s name:s revisionName:s',
  InstancetypeStatusRef:
    'controllerRevisionRef:ControllerRevisionRef inferFromVolume:s inferFromVolumeFailurePolicy:s kind:s name:s',
  Interface:
    'acpiIndex:n binding:PluginBinding bootOrder:n? bridge:o dhcpOptions:DHCPOptions macAddress:s macvtap:o masquerade:o model:s name:s! passt:o passtBinding:o pciAddress:s portRanges:[]PortRange ports:[]Port slirp:o sriov:o state:s tag:s',
  KVMTimer: 'present:b?',
  KernelBoot: 'container:KernelBootContainer kernelArgs:s',
  KernelBootContainer: 'image:s! imagePullPolicy:s imagePullSecret:s initrdPath:s kernelPath:s',
  KernelBootStatus: 'initrdInfo:InitrdInfo kernelInfo:KernelInfo',
  KernelInfo: 'checksum:n',
  LabelSelector: 'matchExpressions:[]LabelSelectorRequirement matchLabels:{}s',
  LabelSelectorRequirement: 'key:s! operator:s! values:[]s',
  LaunchSecurity: 'sev:SEV snp:o tdx:o',
  LocalObjectReference: 'name:s',
  LunTarget: 'bus:s readonly:b reservation:b',
  Machine: 'type:s',
  MachinePreferences: 'preferredMachineType:s',
  Memory: 'guest:q hugepages:Hugepages maxGuest:q reservedOverhead:ReservedOverhead',
  MemoryDumpVolumeSource: 'claimName:s! hotpluggable:b readOnly:b?',
  MemoryInstancetype: 'guest:q! hugepages:Hugepages maxGuest:q overcommitPercent:n',
  MemoryPreferenceRequirement: 'guest:q!',
  MemoryStatus: 'guestAtBoot:q guestCurrent:q guestRequested:q memoryOverhead:q',
  MigrationConfiguration:
    'allowAutoConverge:b? allowPostCopy:b? allowWorkloadDisruption:b? bandwidthPerMigration:q completionTimeoutPerGiB:n? disableTLS:b? experimental:x matchSELinuxLevelOnMigration:b? maxDowntimeMs:n? network:s? nodeDrainTaintKey:s? parallelMigrationsPerCluster:n? parallelOutboundMigrationsPerNode:n? progressTimeout:n? unsafeMigrationOverride:b? utilityVolumesTimeout:n?',
  MultusNetwork: 'default:b networkName:s!',
  NUMA: 'guestMappingPassthrough:o',
  Network: 'multus:MultusNetwork name:s! pod:PodNetwork resourceClaim:NetworkResourceClaim',
  NetworkResourceClaim: 'claimName:s? requestName:s?',
  NodeAffinity:
    'preferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm requiredDuringSchedulingIgnoredDuringExecution:NodeSelector',
  NodeSelector: 'nodeSelectorTerms:[]NodeSelectorTerm',
  NodeSelectorRequirement: 'key:s! operator:s! values:[]s',
  NodeSelectorTerm: 'matchExpressions:[]NodeSelectorRequirement matchFields:[]NodeSelectorRequirement',
  ObjectFieldSelector: 'apiVersion:s fieldPath:s!',
  ObjectMeta:
    'annotations:{}s creationTimestamp:t deletionGracePeriodSeconds:n? deletionTimestamp:t finalizers:[]s generateName:s generation:n labels:{}s managedFields:x name:s namespace:s ownerReferences:[]OwnerReference resourceVersion:s selfLink:s uid:s',
  OwnerReference: 'apiVersion:s! blockOwnerDeletion:b? controller:b? kind:s! name:s! uid:s!',
  PITTimer: 'present:b? tickPolicy:s',
  PanicDevice: 'model:s',
  PersistentVolumeClaimInfo:
    'accessModes:[]s capacity:{}q claimName:s filesystemOverhead:s preallocated:b requests:{}q volumeMode:s?',
  PersistentVolumeClaimSpec:
    'accessModes:[]s dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference resources:VolumeResourceRequirements! selector:LabelSelector storageClassName:s? volumeAttributesClassName:s? volumeMode:s? volumeName:s',
  PersistentVolumeClaimVolumeSource: 'claimName:s! hotpluggable:b readOnly:b?',
  PlatformOptions: 'architecture:s',
  PluginBinding: 'name:s!',
  PodAffinity:
    'preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm',
  PodAffinityTerm:
    'labelSelector:LabelSelector matchLabelKeys:[]s mismatchLabelKeys:[]s namespaceSelector:LabelSelector namespaces:[]s topologyKey:s!',
  PodAntiAffinity:
    'preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm',
  PodDNSConfig: 'nameservers:[]s options:[]PodDNSConfigOption searches:[]s',
  PodDNSConfigOption: 'name:s value:s?',
  PodNetwork: 'vmIPv6NetworkCIDR:s vmNetworkCIDR:s',
  PodResourceClaim: 'name:s! resourceClaimName:s? resourceClaimTemplateName:s?',
  Port: 'name:s port:n! protocol:s',
  PortRange: 'end:n! protocol:s! start:n!',
  PreferenceMatcher: 'inferFromVolume:s inferFromVolumeFailurePolicy:s? kind:s name:s revisionName:s',
  PreferenceRequirements: 'architecture:s? cpu:CPUPreferenceRequirement memory:MemoryPreferenceRequirement',
  PreferredSchedulingTerm: 'preference:NodeSelectorTerm! weight:n!',
  Probe:
    'exec:ExecAction failureThreshold:n guestAgentPing:o httpGet:HTTPGetAction initialDelaySeconds:n periodSeconds:n successThreshold:n tcpSocket:TCPSocketAction timeoutSeconds:n',
  QemuGuestAgentSSHPublicKeyAccessCredentialPropagation: 'users:[]s',
  RTCTimer: 'present:b? tickPolicy:s track:s',
  Realtime: 'mask:s',
  RemoveVolumeOptions: 'dryRun:[]s name:s!',
  ReservedOverhead: 'addedOverhead:q memLock:s',
  ResourceFieldSelector: 'containerName:s divisor:q! resource:s!',
  ResourceRequirements: 'limits:{}q overcommitGuestOverhead:b requests:{}q',
  SEV: 'attestation:o dhCert:s policy:SEVPolicy session:s',
  SEVPolicy: 'encryptedState:b?',
  SSHPublicKeyAccessCredential:
    'propagationMethod:SSHPublicKeyAccessCredentialPropagationMethod! source:SSHPublicKeyAccessCredentialSource!',
  SSHPublicKeyAccessCredentialPropagationMethod:
    'configDrive:o noCloud:o qemuGuestAgent:QemuGuestAgentSSHPublicKeyAccessCredentialPropagation',
  SSHPublicKeyAccessCredentialSource: 'secret:AccessCredentialSecretSource',
  SecretVolumeSource: 'optional:b? secretName:s volumeLabel:s',
  ServiceAccountVolumeSource: 'serviceAccountName:s',
  SoundDevice: 'model:s name:s!',
  SpreadOptions: 'across:s? ratio:n?',
  StorageMigratedVolumeInfo:
    'destinationPVCInfo:PersistentVolumeClaimInfo sourcePVCInfo:PersistentVolumeClaimInfo volumeName:s!',
  StorageSpec:
    'accessModes:[]s dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference resources:VolumeResourceRequirements! selector:LabelSelector storageClassName:s? volumeMode:s? volumeName:s',
  SyNICTimer: 'direct:FeatureState enabled:b?',
  SysprepSource: 'configMap:LocalObjectReference secret:LocalObjectReference',
  TCPSocketAction: 'host:s port:x',
  TLBFlush: 'direct:FeatureState enabled:b? extended:FeatureState',
  TPMDevice: 'enabled:b? persistent:b?',
  Timer: 'hpet:HPETTimer hyperv:HypervTimer kvm:KVMTimer pit:PITTimer rtc:RTCTimer',
  Toleration: 'effect:s key:s operator:s tolerationSeconds:n? value:s',
  TopologyHints: 'tscFrequency:n?',
  TopologySpreadConstraint:
    'labelSelector:LabelSelector matchLabelKeys:[]s maxSkew:n! minDomains:n? nodeAffinityPolicy:s? nodeTaintsPolicy:s? topologyKey:s! whenUnsatisfiable:s!',
  TypedLocalObjectReference: 'apiGroup:s? kind:s! name:s!',
  TypedObjectReference: 'apiGroup:s? kind:s! name:s! namespace:s?',
  UserPasswordAccessCredential:
    'propagationMethod:UserPasswordAccessCredentialPropagationMethod! source:UserPasswordAccessCredentialSource!',
  UserPasswordAccessCredentialPropagationMethod: 'qemuGuestAgent:o',
  UserPasswordAccessCredentialSource: 'secret:AccessCredentialSecretSource',
  UtilityVolume: 'claimName:s! name:s! readOnly:b? type:s',
  VGPUDisplayOptions: 'enabled:b? ramFB:FeatureState',
  VGPUOptions: 'display:VGPUDisplayOptions',
  VideoDevice: 'type:s',
  VirtualMachine: 'apiVersion:s kind:s metadata:ObjectMeta! spec:VirtualMachineSpec! status:VirtualMachineStatus!',
  VirtualMachineCondition: 'lastProbeTime:t! lastTransitionTime:t! message:s reason:s status:s! type:s!',
  VirtualMachineInstance:
    'apiVersion:s kind:s metadata:ObjectMeta! spec:VirtualMachineInstanceSpec! status:VirtualMachineInstanceStatus!',
  VirtualMachineInstanceBackupStatus:
    'backupMsg:s backupName:s checkpointName:s completed:b endTimestamp:t failed:b quiesceStatus:s startTimestamp:t volumes:[]BackupVolumeInfo',
  VirtualMachineInstanceCondition: 'lastProbeTime:t! lastTransitionTime:t! message:s reason:s status:s! type:s!',
  VirtualMachineInstanceGuestOSInfo:
    'id:s kernelRelease:s kernelVersion:s machine:s name:s prettyName:s version:s versionId:s',
  VirtualMachineInstanceMigrationSourceState:
    'domainName:s domainNamespace:s migrationUID:s node:s nodeSelectors:{}s persistentStatePVCName:s pod:s selinuxContext:s syncAddress:s virtualMachineInstanceUID:s',
  VirtualMachineInstanceMigrationState:
    'abortRequested:b abortStatus:s completed:b endTimestamp:t failed:b failureReason:s migrationConfiguration:MigrationConfiguration migrationNetworkType:s migrationPolicyName:s migrationUid:s mode:s sourceNode:s sourcePersistentStatePVCName:s sourcePod:s sourceState:VirtualMachineInstanceMigrationSourceState startTimestamp:t targetAttachmentPodUID:s targetCPUSet:[]n targetDirectMigrationNodePorts:{}n targetMemoryOverhead:q targetNode:s targetNodeAddress:s targetNodeDomainDetected:b targetNodeDomainReadyTimestamp:t targetNodeTopology:s targetPersistentStatePVCName:s targetPod:s targetState:VirtualMachineInstanceMigrationTargetState',
  VirtualMachineInstanceMigrationTargetState:
    'attachmentPodUID:s cpuSet:[]n directMigrationNodePorts:{}n domainDetected:b domainName:s domainNamespace:s domainReadyTimestamp:t migrationUID:s node:s nodeAddress:s nodeTopology:s persistentStatePVCName:s pod:s selinuxContext:s syncAddress:s virtualMachineInstanceUID:s',
  VirtualMachineInstanceNetworkInterface:
    'infoSource:s interfaceName:s ipAddress:s ipAddresses:[]s linkState:s mac:s name:s podInterfaceName:s queueCount:n',
  VirtualMachineInstancePhaseTransitionTimestamp: 'phase:s phaseTransitionTimestamp:t',
  VirtualMachineInstanceSpec:
    'accessCredentials:[]AccessCredential affinity:Affinity architecture:s dnsConfig:PodDNSConfig dnsPolicy:s domain:DomainSpec! evictionStrategy:s? hostname:s livenessProbe:Probe networks:[]Network nodeSelector:{}s priorityClassName:s readinessProbe:Probe resourceClaims:[]PodResourceClaim schedulerName:s serviceAccountName:s startStrategy:s? subdomain:s terminationGracePeriodSeconds:n? tolerations:[]Toleration topologySpreadConstraints:[]TopologySpreadConstraint utilityVolumes:[]UtilityVolume volumes:[]Volume',
  VirtualMachineInstanceStatus:
    'VSOCKCID:n? activePods:{}s changedBlockTracking:ChangedBlockTrackingStatus conditions:[]VirtualMachineInstanceCondition currentCPUTopology:CPUTopology deviceStatus:DeviceStatus evacuationNodeName:s fsFreezeStatus:s guestOSInfo:VirtualMachineInstanceGuestOSInfo! interfaces:[]VirtualMachineInstanceNetworkInterface kernelBootStatus:KernelBootStatus launcherContainerImageVersion:s machine:Machine memory:MemoryStatus migratedVolumes:[]StorageMigratedVolumeInfo migrationMethod:s migrationState:VirtualMachineInstanceMigrationState migrationTransport:s nodeName:s phase:s phaseTransitionTimestamps:[]VirtualMachineInstancePhaseTransitionTimestamp qosClass:s reason:s runtimeUser:n! selinuxContext:s topologyHints:TopologyHints virtualMachineRevisionName:s volumeStatus:[]VolumeStatus',
  VirtualMachineInstanceTemplateSpec: 'metadata:ObjectMeta! spec:VirtualMachineInstanceSpec!',
  VirtualMachineInstancetype: 'apiVersion:s kind:s metadata:ObjectMeta! spec:VirtualMachineInstancetypeSpec!',
  VirtualMachineInstancetypeSpec:
    'annotations:{}s cpu:CPUInstancetype! gpus:[]GPU hostDevices:[]HostDevice ioThreads:DiskIOThreads ioThreadsPolicy:s? launchSecurity:LaunchSecurity memory:MemoryInstancetype! nodeSelector:{}s schedulerName:s',
  VirtualMachineMemoryDumpRequest:
    'claimName:s! endTimestamp:t fileName:s? message:s phase:s! remove:b startTimestamp:t',
  VirtualMachinePreference: 'apiVersion:s kind:s metadata:ObjectMeta! spec:VirtualMachinePreferenceSpec!',
  VirtualMachinePreferenceSpec:
    'annotations:{}s clock:ClockPreferences cpu:CPUPreferences devices:DevicePreferences features:FeaturePreferences firmware:FirmwarePreferences machine:MachinePreferences preferSpreadSocketToCoreRatio:n preferredArchitecture:s? preferredLaunchSecurity:LaunchSecurity preferredSubdomain:s? preferredTerminationGracePeriodSeconds:n? requirements:PreferenceRequirements volumes:VolumePreferences',
  VirtualMachineSpec:
    'dataVolumeTemplates:[]DataVolumeTemplateSpec instancetype:InstancetypeMatcher preference:PreferenceMatcher runStrategy:s? running:b? template:VirtualMachineInstanceTemplateSpec updateVolumesStrategy:s?',
  VirtualMachineStartFailure: 'consecutiveFailCount:n lastFailedVMIUID:s retryAfterTimestamp:t',
  VirtualMachineStateChangeRequest: 'action:s! data:{}s uid:s',
  VirtualMachineStatus:
    'changedBlockTracking:ChangedBlockTrackingStatus conditions:[]VirtualMachineCondition created:b desiredGeneration:n instancetypeRef:InstancetypeStatusRef memoryDumpRequest:VirtualMachineMemoryDumpRequest observedGeneration:n preferenceRef:InstancetypeStatusRef printableStatus:s ready:b restoreInProgress:s? runStrategy:s snapshotInProgress:s? startFailure:VirtualMachineStartFailure stateChangeRequests:[]VirtualMachineStateChangeRequest volumeRequests:[]VirtualMachineVolumeRequest volumeSnapshotStatuses:[]VolumeSnapshotStatus volumeUpdateState:VolumeUpdateState',
  VirtualMachineVolumeRequest: 'addVolumeOptions:AddVolumeOptions removeVolumeOptions:RemoveVolumeOptions',
  Volume:
    'cloudInitConfigDrive:CloudInitConfigDriveSource cloudInitNoCloud:CloudInitNoCloudSource configMap:ConfigMapVolumeSource containerDisk:ContainerDiskSource containerPath:ContainerPathVolumeSource dataVolume:DataVolumeSource downwardAPI:DownwardAPIVolumeSource downwardMetrics:o emptyDisk:EmptyDiskSource ephemeral:EphemeralVolumeSource hostDisk:HostDisk memoryDump:MemoryDumpVolumeSource name:s! persistentVolumeClaim:PersistentVolumeClaimVolumeSource secret:SecretVolumeSource serviceAccount:ServiceAccountVolumeSource sysprep:SysprepSource',
  VolumeMigrationState: 'migratedVolumes:[]StorageMigratedVolumeInfo',
  VolumePreferences: 'preferredStorageClassName:s',
  VolumeResourceRequirements: 'limits:{}q requests:{}q',
  VolumeSnapshotStatus: 'enabled:b! name:s! reason:s',
  VolumeStatus:
    'containerDiskVolume:ContainerDiskInfo hotplugVolume:HotplugVolumeStatus memoryDumpVolume:DomainMemoryDumpInfo message:s name:s! persistentVolumeClaimInfo:PersistentVolumeClaimInfo phase:s reason:s size:n target:s!',
  VolumeUpdateState: 'volumeMigrationState:VolumeMigrationState',
  Watchdog: 'diag288:Diag288Watchdog i6300esb:I6300ESBWatchdog name:s!',
  WeightedPodAffinityTerm: 'podAffinityTerm:PodAffinityTerm! weight:n!',
} as const;
