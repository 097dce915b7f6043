import type { TypeTable } from './compile.ts';

export const coreTypes: TypeTable = {
  ConfigMap: 'apiVersion:s kind:s metadata:ObjectMeta! immutable:b? data:{}s binaryData:{}s',
  Secret: 'apiVersion:s kind:s metadata:ObjectMeta! immutable:b? data:{}s stringData:{}s type:s',
  ServiceAccount:
    'apiVersion:s kind:s metadata:ObjectMeta! secrets:[]ObjectReference imagePullSecrets:[]LocalObjectReference automountServiceAccountToken:b?',
  Namespace: 'apiVersion:s kind:s metadata:ObjectMeta! spec:NamespaceSpec! status:NamespaceStatus!',
  NamespaceSpec: 'finalizers:[]s',
  NamespaceStatus: 'phase:s conditions:[]Condition',
  Event:
    'apiVersion:s kind:s metadata:ObjectMeta! involvedObject:ObjectReference! reason:s message:s source:EventSource! firstTimestamp:t! lastTimestamp:t! count:n type:s eventTime:u! series:EventSeries action:s related:ObjectReference reportingComponent:s! reportingInstance:s!',
  EventSource: 'component:s host:s',
  EventSeries: 'count:n lastObservedTime:u!',
  Node: 'apiVersion:s kind:s metadata:ObjectMeta! spec:NodeSpec! status:NodeStatus!',
  NodeSpec: 'podCIDR:s podCIDRs:[]s providerID:s unschedulable:b taints:[]Taint configSource:x externalID:s',
  Taint: 'key:s! value:s effect:s! timeAdded:t',
  NodeStatus:
    'capacity:{}q allocatable:{}q phase:s conditions:[]NodeCondition addresses:[]NodeAddress daemonEndpoints:NodeDaemonEndpoints! nodeInfo:NodeSystemInfo! images:[]ContainerImage volumesInUse:[]s volumesAttached:x config:x runtimeHandlers:x features:x declaredFeatures:[]s',
  NodeCondition: 'type:s! status:s! lastHeartbeatTime:t! lastTransitionTime:t! reason:s message:s',
  NodeAddress: 'type:s! address:s!',
  NodeDaemonEndpoints: 'kubeletEndpoint:DaemonEndpoint!',
  DaemonEndpoint: 'Port:n!',
  NodeSystemInfo:
    'machineID:s! systemUUID:s! bootID:s! kernelVersion:s! osImage:s! containerRuntimeVersion:s! kubeletVersion:s! kubeProxyVersion:s! operatingSystem:s! architecture:s! swap:x',
  ContainerImage: 'names:[]s! sizeBytes:n',
  PersistentVolumeClaim:
    'apiVersion:s kind:s metadata:ObjectMeta! spec:PersistentVolumeClaimSpec! status:PersistentVolumeClaimStatus!',
  PersistentVolumeClaimSpec:
    'accessModes:[]s selector:LabelSelector resources:VolumeResources! volumeName:s storageClassName:s? volumeMode:s? dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference volumeAttributesClassName:s?',
  VolumeResources: 'limits:{}q requests:{}q',
  PersistentVolumeClaimStatus:
    'phase:s accessModes:[]s capacity:{}q conditions:[]ClaimCondition allocatedResources:{}q allocatedResourceStatuses:{}s currentVolumeAttributesClassName:s? modifyVolumeStatus:x',
  ClaimCondition: 'type:s! status:s! lastProbeTime:t! lastTransitionTime:t! reason:s message:s',
  PersistentVolume:
    'apiVersion:s kind:s metadata:ObjectMeta! spec:PersistentVolumeSpec! status:PersistentVolumeStatus!',
  PersistentVolumeSpec:
    'capacity:{}q hostPath:HostPathVolumeSource local:x nfs:x iscsi:x rbd:x csi:x accessModes:[]s claimRef:ObjectReference persistentVolumeReclaimPolicy:s storageClassName:s mountOptions:[]s volumeMode:s? nodeAffinity:VolumeNodeAffinity volumeAttributesClassName:s?',
  VolumeNodeAffinity: 'required:NodeSelector',
  PersistentVolumeStatus: 'phase:s message:s reason:s lastPhaseTransitionTime:t',
  ResourceQuota: 'apiVersion:s kind:s metadata:ObjectMeta! spec:ResourceQuotaSpec! status:ResourceQuotaStatus!',
  ResourceQuotaSpec: 'hard:{}q scopes:[]s scopeSelector:x',
  ResourceQuotaStatus: 'hard:{}q used:{}q',
  Service: 'apiVersion:s kind:s metadata:ObjectMeta! spec:ServiceSpec! status:ServiceStatus!',
  ServiceSpec:
    'ports:[]ServicePort selector:{}s clusterIP:s clusterIPs:[]s type:s externalIPs:[]s sessionAffinity:s loadBalancerIP:s loadBalancerSourceRanges:[]s externalName:s externalTrafficPolicy:s healthCheckNodePort:n publishNotReadyAddresses:b sessionAffinityConfig:x ipFamilies:[]s ipFamilyPolicy:s? allocateLoadBalancerNodePorts:b? loadBalancerClass:s? internalTrafficPolicy:s? trafficDistribution:s?',
  ServicePort: 'name:s protocol:s appProtocol:s? port:n! targetPort:x nodePort:n',
  ServiceStatus: 'loadBalancer:LoadBalancerStatus! conditions:[]Condition',
  LoadBalancerStatus: 'ingress:x',
};
