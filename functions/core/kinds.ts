/** Every kind that a controller or the relay knows, in one table. */
import type { Kind } from './kind.ts';
import type * as objects from './objects.ts';

const core = { apiVersion: 'v1', namespaced: true, statusSubresource: true } as const;
const kubevirt = { apiVersion: 'kubevirt.io/v1', namespaced: true, statusSubresource: true } as const;
const instancetype = { apiVersion: 'instancetype.kubevirt.io/v1beta1', statusSubresource: false } as const;

export const VirtualMachine: Kind<objects.VirtualMachine> = {
  ...kubevirt,
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
};
export const VirtualMachineInstance: Kind<objects.VirtualMachineInstance> = {
  ...kubevirt,
  kind: 'VirtualMachineInstance',
  plural: 'virtualmachineinstances',
  statusSubresource: false,
};
export const KubeVirt: Kind<objects.KubeVirt> = { ...kubevirt, kind: 'KubeVirt', plural: 'kubevirts' };
export const Pod: Kind<objects.Pod> = { ...core, kind: 'Pod', plural: 'pods' };
export const PersistentVolumeClaim: Kind<objects.PersistentVolumeClaim> = {
  ...core,
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
};
export const Namespace: Kind<objects.Namespace> = {
  ...core,
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
export const ResourceQuota: Kind<objects.ResourceQuota> = { ...core, kind: 'ResourceQuota', plural: 'resourcequotas' };
export const Node: Kind<objects.Node> = { ...core, kind: 'Node', plural: 'nodes', namespaced: false };
export const ControllerRevision: Kind<objects.ControllerRevision> = {
  kind: 'ControllerRevision',
  apiVersion: 'apps/v1',
  plural: 'controllerrevisions',
  namespaced: true,
  statusSubresource: false,
};

export const DaemonSet: Kind<objects.DaemonSet> = {
  kind: 'DaemonSet',
  apiVersion: 'apps/v1',
  plural: 'daemonsets',
  namespaced: true,
  statusSubresource: true,
};

const cdi = { apiVersion: 'cdi.kubevirt.io/v1beta1', statusSubresource: false } as const;

export const Job: Kind<objects.Job> = {
  kind: 'Job',
  apiVersion: 'batch/v1',
  plural: 'jobs',
  namespaced: true,
  statusSubresource: true,
};

export const DataVolume: Kind<objects.DataVolume> = {
  ...cdi,
  kind: 'DataVolume',
  plural: 'datavolumes',
  namespaced: true,
};
export const DataSource: Kind<objects.DataSource> = {
  ...cdi,
  kind: 'DataSource',
  plural: 'datasources',
  namespaced: true,
};
export const StorageProfile: Kind<objects.StorageProfile> = {
  ...cdi,
  kind: 'StorageProfile',
  plural: 'storageprofiles',
  namespaced: false,
};
export const CDI: Kind = { ...cdi, kind: 'CDI', plural: 'cdis', namespaced: false };
export const CDIConfig: Kind<objects.CDIConfig> = {
  ...cdi,
  kind: 'CDIConfig',
  plural: 'cdiconfigs',
  namespaced: false,
};
export const StorageClass: Kind<objects.StorageClass> = {
  kind: 'StorageClass',
  apiVersion: 'storage.k8s.io/v1',
  plural: 'storageclasses',
  namespaced: false,
  statusSubresource: false,
};
export const VirtualMachineInstanceMigration: Kind<objects.VirtualMachineInstanceMigration> = {
  ...kubevirt,
  kind: 'VirtualMachineInstanceMigration',
  plural: 'virtualmachineinstancemigrations',
};

export const VirtualMachineInstancetype: Kind<objects.VirtualMachineInstancetype> = {
  ...instancetype,
  kind: 'VirtualMachineInstancetype',
  plural: 'virtualmachineinstancetypes',
  namespaced: true,
};
export const VirtualMachineClusterInstancetype: Kind<objects.VirtualMachineInstancetype> = {
  ...instancetype,
  kind: 'VirtualMachineClusterInstancetype',
  plural: 'virtualmachineclusterinstancetypes',
  namespaced: false,
};
export const VirtualMachinePreference: Kind<objects.VirtualMachinePreference> = {
  ...instancetype,
  kind: 'VirtualMachinePreference',
  plural: 'virtualmachinepreferences',
  namespaced: true,
};
export const VirtualMachineClusterPreference: Kind<objects.VirtualMachinePreference> = {
  ...instancetype,
  kind: 'VirtualMachineClusterPreference',
  plural: 'virtualmachineclusterpreferences',
  namespaced: false,
};
export const VolumeSnapshotClass: Kind<objects.VolumeSnapshotClass> = {
  kind: 'VolumeSnapshotClass',
  apiVersion: 'snapshot.storage.k8s.io/v1',
  plural: 'volumesnapshotclasses',
  namespaced: false,
  statusSubresource: false,
};
/** Only ever asked, by the precondition `access-allowed`. */
export const SubjectAccessReview: Kind = {
  kind: 'SubjectAccessReview',
  apiVersion: 'authorization.k8s.io/v1',
  plural: 'subjectaccessreviews',
  namespaced: false,
  statusSubresource: false,
};

/** ConfigMaps may be large and hold what is nobody's business; controllers ask only whether they are there. */
export const ConfigMap: Kind = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  plural: 'configmaps',
  namespaced: true,
  statusSubresource: false,
  metadataOnly: true,
  onDemand: true,
};
/** Its resource stands in an annotation. */
export const NetworkAttachmentDefinition: Kind = {
  kind: 'NetworkAttachmentDefinition',
  apiVersion: 'k8s.cni.cncf.io/v1',
  plural: 'network-attachment-definitions',
  namespaced: true,
  statusSubresource: false,
  metadataOnly: true,
  onDemand: true,
};

const all: readonly Kind[] = [
  VirtualMachine,
  VirtualMachineInstance,
  KubeVirt,
  Pod,
  PersistentVolumeClaim,
  Namespace,
  ResourceQuota,
  Node,
  ControllerRevision,
  DaemonSet,
  Job,
  DataVolume,
  StorageProfile,
  CDI,
  CDIConfig,
  StorageClass,
  VirtualMachineInstanceMigration,
  VirtualMachineInstancetype,
  VirtualMachineClusterInstancetype,
  VirtualMachinePreference,
  VirtualMachineClusterPreference,
  DataSource,
  VolumeSnapshotClass,
  SubjectAccessReview,
  ConfigMap,
  NetworkAttachmentDefinition,
];

const byName = new Map(all.map((k) => [k.kind, k]));

/** The kind of that name. Kind names are unique in the table, so the wire and the table carry names only. */
export function kindNamed(kind: string): Kind | undefined {
  return byName.get(kind);
}
