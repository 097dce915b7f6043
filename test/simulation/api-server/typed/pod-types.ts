import type { TypeTable } from './compile.ts';

export const podTypes: TypeTable = {
  Pod: 'apiVersion:s kind:s metadata:ObjectMeta! spec:PodSpec! status:PodStatus!',
  PodSpec:
    'volumes:[]Volume initContainers:[]Container containers:[]Container! ephemeralContainers:[]Container restartPolicy:s terminationGracePeriodSeconds:n? activeDeadlineSeconds:n? dnsPolicy:s nodeSelector:{}s serviceAccountName:s serviceAccount:s automountServiceAccountToken:b? nodeName:s hostNetwork:b hostPID:b hostIPC:b shareProcessNamespace:b? securityContext:PodSecurityContext imagePullSecrets:[]LocalObjectReference hostname:s subdomain:s affinity:Affinity schedulerName:s tolerations:[]Toleration hostAliases:[]HostAlias priorityClassName:s priority:n? dnsConfig:PodDNSConfig readinessGates:[]PodReadinessGate runtimeClassName:s? enableServiceLinks:b? preemptionPolicy:s? overhead:{}q topologySpreadConstraints:[]TopologySpreadConstraint setHostnameAsFQDN:b? os:PodOS hostUsers:b? schedulingGates:[]PodSchedulingGate resourceClaims:[]PodResourceClaim resources:ResourceRequirements hostnameOverride:s?',
  PodOS: 'name:s!',
  PodSchedulingGate: 'name:s!',
  PodReadinessGate: 'conditionType:s!',
  PodResourceClaim: 'name:s! resourceClaimName:s? resourceClaimTemplateName:s?',
  HostAlias: 'ip:s! hostnames:[]s',
  PodDNSConfig: 'nameservers:[]s searches:[]s options:[]PodDNSConfigOption',
  PodDNSConfigOption: 'name:s value:s?',
  Container:
    'name:s! image:s command:[]s args:[]s workingDir:s ports:[]ContainerPort envFrom:[]EnvFromSource env:[]EnvVar resources:ResourceRequirements! resizePolicy:[]ContainerResizePolicy restartPolicy:s? restartPolicyRules:x volumeMounts:[]VolumeMount volumeDevices:[]VolumeDevice livenessProbe:Probe readinessProbe:Probe startupProbe:Probe lifecycle:Lifecycle terminationMessagePath:s terminationMessagePolicy:s imagePullPolicy:s securityContext:SecurityContext stdin:b stdinOnce:b tty:b targetContainerName:s',
  ContainerResizePolicy: 'resourceName:s! restartPolicy:s!',
  ContainerPort: 'name:s hostPort:n containerPort:n! protocol:s hostIP:s',
  EnvFromSource: 'prefix:s configMapRef:OptionalReference secretRef:OptionalReference',
  OptionalReference: 'name:s optional:b?',
  EnvVar: 'name:s! value:s valueFrom:EnvVarSource',
  EnvVarSource:
    'fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector configMapKeyRef:KeySelector secretKeyRef:KeySelector fileKeyRef:x',
  ObjectFieldSelector: 'apiVersion:s fieldPath:s!',
  ResourceFieldSelector: 'containerName:s resource:s! divisor:q!',
  KeySelector: 'name:s key:s! optional:b?',
  ResourceRequirements: 'limits:{}q requests:{}q claims:[]ResourceClaim',
  ResourceClaim: 'name:s! request:s',
  VolumeMount: 'name:s! readOnly:b recursiveReadOnly:s? mountPath:s! subPath:s mountPropagation:s? subPathExpr:s',
  VolumeDevice: 'name:s! devicePath:s!',
  Probe:
    'exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction grpc:GRPCAction initialDelaySeconds:n timeoutSeconds:n periodSeconds:n successThreshold:n failureThreshold:n terminationGracePeriodSeconds:n?',
  ExecAction: 'command:[]s',
  HTTPGetAction: 'path:s port:x! host:s scheme:s httpHeaders:[]HTTPHeader',
  HTTPHeader: 'name:s! value:s!',
  TCPSocketAction: 'port:x! host:s',
  GRPCAction: 'port:n! service:s?',
  Lifecycle: 'postStart:LifecycleHandler preStop:LifecycleHandler stopSignal:s?',
  LifecycleHandler: 'exec:ExecAction httpGet:HTTPGetAction tcpSocket:TCPSocketAction sleep:SleepAction',
  SleepAction: 'seconds:n!',
  SecurityContext:
    'capabilities:Capabilities privileged:b? seLinuxOptions:SELinuxOptions windowsOptions:x runAsUser:n? runAsGroup:n? runAsNonRoot:b? readOnlyRootFilesystem:b? allowPrivilegeEscalation:b? procMount:s? seccompProfile:SeccompProfile appArmorProfile:SeccompProfile',
  Capabilities: 'add:[]s drop:[]s',
  SELinuxOptions: 'user:s role:s type:s level:s',
  SeccompProfile: 'type:s! localhostProfile:s?',
  PodSecurityContext:
    'seLinuxOptions:SELinuxOptions windowsOptions:x runAsUser:n? runAsGroup:n? runAsNonRoot:b? supplementalGroups:[]n supplementalGroupsPolicy:s? fsGroup:n? sysctls:[]Sysctl fsGroupChangePolicy:s? seccompProfile:SeccompProfile appArmorProfile:SeccompProfile seLinuxChangePolicy:s?',
  Sysctl: 'name:s! value:s!',
  Affinity: 'nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAffinity',
  NodeAffinity:
    'requiredDuringSchedulingIgnoredDuringExecution:NodeSelector preferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm',
  NodeSelector: 'nodeSelectorTerms:[]NodeSelectorTerm!',
  NodeSelectorTerm: 'matchExpressions:[]LabelSelectorRequirement matchFields:[]LabelSelectorRequirement',
  PreferredSchedulingTerm: 'weight:n! preference:NodeSelectorTerm!',
  PodAffinity:
    'requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm',
  WeightedPodAffinityTerm: 'weight:n! podAffinityTerm:PodAffinityTerm!',
  PodAffinityTerm:
    'labelSelector:LabelSelector namespaces:[]s topologyKey:s! namespaceSelector:LabelSelector matchLabelKeys:[]s mismatchLabelKeys:[]s',
  Toleration: 'key:s operator:s value:s effect:s tolerationSeconds:n?',
  TopologySpreadConstraint:
    'maxSkew:n! topologyKey:s! whenUnsatisfiable:s! labelSelector:LabelSelector minDomains:n? nodeAffinityPolicy:s? nodeTaintsPolicy:s? matchLabelKeys:[]s',
  Volume:
    'name:s! hostPath:HostPathVolumeSource emptyDir:EmptyDirVolumeSource secret:SecretVolumeSource persistentVolumeClaim:ClaimVolumeSource configMap:ConfigMapVolumeSource downwardAPI:DownwardAPIVolumeSource projected:ProjectedVolumeSource image:ImageVolumeSource csi:CSIVolumeSource ephemeral:x nfs:x iscsi:x rbd:x',
  HostPathVolumeSource: 'path:s! type:s?',
  EmptyDirVolumeSource: 'medium:s sizeLimit:q',
  SecretVolumeSource: 'secretName:s items:[]KeyToPath defaultMode:n? optional:b?',
  KeyToPath: 'key:s! path:s! mode:n?',
  ClaimVolumeSource: 'claimName:s! readOnly:b',
  ConfigMapVolumeSource: 'name:s items:[]KeyToPath defaultMode:n? optional:b?',
  DownwardAPIVolumeSource: 'items:[]DownwardAPIVolumeFile defaultMode:n?',
  DownwardAPIVolumeFile: 'path:s! fieldRef:ObjectFieldSelector resourceFieldRef:ResourceFieldSelector mode:n?',
  ProjectedVolumeSource: 'sources:[]VolumeProjection! defaultMode:n?',
  VolumeProjection:
    'secret:SecretProjection downwardAPI:DownwardAPIProjection configMap:SecretProjection serviceAccountToken:ServiceAccountTokenProjection clusterTrustBundle:x',
  SecretProjection: 'name:s items:[]KeyToPath optional:b?',
  DownwardAPIProjection: 'items:[]DownwardAPIVolumeFile',
  ServiceAccountTokenProjection: 'audience:s expirationSeconds:n? path:s!',
  ImageVolumeSource: 'reference:s pullPolicy:s',
  CSIVolumeSource: 'driver:s! readOnly:b? fsType:s? volumeAttributes:{}s nodePublishSecretRef:LocalObjectReference',
  PodStatus:
    'observedGeneration:n phase:s conditions:[]PodCondition message:s reason:s nominatedNodeName:s hostIP:s hostIPs:[]IP podIP:s podIPs:[]IP startTime:t initContainerStatuses:[]ContainerStatus containerStatuses:[]ContainerStatus qosClass:s ephemeralContainerStatuses:[]ContainerStatus resize:s resourceClaimStatuses:x extendedResourceClaimStatus:x allocatedResources:{}q resources:ResourceRequirements',
  PodCondition: 'type:s! observedGeneration:n status:s! lastProbeTime:t! lastTransitionTime:t! reason:s message:s',
  IP: 'ip:s!',
  ContainerStatus:
    'name:s! state:ContainerState! lastState:ContainerState! ready:b! restartCount:n! image:s! imageID:s! containerID:s started:b? allocatedResources:{}q resources:ResourceRequirements volumeMounts:x user:x allocatedResourcesStatus:x stopSignal:s?',
  ContainerState: 'waiting:Waiting running:Running terminated:Terminated',
  Waiting: 'reason:s message:s',
  Running: 'startedAt:t!',
  Terminated: 'exitCode:n! signal:n reason:s message:s startedAt:t! finishedAt:t! containerID:s',
  Binding: 'apiVersion:s kind:s metadata:ObjectMeta! target:ObjectReference!',
};
