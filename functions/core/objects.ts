/**
 * The Kubernetes objects that this project reads and writes, as TypeScript sees them.
 *
 * Field types come from the OpenAPI of KubeVirt and Kubernetes (`@kubevirt-ui-ext/kubevirt-api`, types only). What an
 * object in the store looks like may be less than its type promises: without virt-api's admission nothing fills in
 * `domain.devices` and the like, so readers use `?.` on members that admission would have made.
 */
import type { IoK8sApiBatchV1JobSpec, IoK8sApiCoreV1Pod } from '@kubevirt-ui-ext/kubevirt-api/kubernetes';
import type {
  V1beta1DataVolumeSpec,
  V1beta1VirtualMachineInstancetypeSpec,
  V1KubeVirt,
  V1VirtualMachineInstanceMigrationSpec,
  V1VirtualMachineInstanceMigrationStatus,
  V1VirtualMachineInstanceStatus,
  V1VirtualMachineSpec,
  V1VirtualMachineStatus,
} from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import type {
  KubeVirtConfiguration,
  VirtualMachineInstanceSpec,
  VirtualMachinePreferenceSpec,
} from './newer-fields.ts';

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  name: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
}

export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** A condition of a VM, VMI or pod. Times are RFC 3339 in UTC, whole seconds; unset times are written as `null`. */
export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastProbeTime?: string | null;
  lastTransitionTime?: string | null;
}

/** Time stamps in the package's types are strings here and in the API. */
export interface VirtualMachineInstance extends KubeObject {
  spec: VirtualMachineInstanceSpec;
  status?: Omit<V1VirtualMachineInstanceStatus, 'conditions' | 'vSOCKCID'> & {
    conditions?: Condition[];
    /** The package spells it `vSOCKCID`; the API says `VSOCKCID`. */
    VSOCKCID?: number;
  };
}

export interface VirtualMachine extends KubeObject {
  spec: V1VirtualMachineSpec;
  status?: Omit<V1VirtualMachineStatus, 'conditions'> & { conditions?: Condition[] };
}

/** The cluster-wide kind has the same shape. */
export interface VirtualMachineInstancetype extends KubeObject {
  spec: V1beta1VirtualMachineInstancetypeSpec;
}

/** The cluster-wide kind has the same shape. */
export interface VirtualMachinePreference extends KubeObject {
  spec: VirtualMachinePreferenceSpec;
}

export interface KubeVirt extends KubeObject {
  spec: Omit<V1KubeVirt['spec'], '_configuration'> & {
    /** The package spells it `_configuration`. */
    configuration?: KubeVirtConfiguration;
  };
  status?: V1KubeVirt['status'];
}

export interface Pod extends KubeObject {
  spec: NonNullable<IoK8sApiCoreV1Pod['spec']>;
  status?: Omit<NonNullable<IoK8sApiCoreV1Pod['status']>, 'conditions'> & { conditions?: Condition[] };
}

export interface ControllerRevision extends KubeObject {
  revision: number;
  data?: unknown;
}

export interface PersistentVolumeClaim extends KubeObject {
  spec: {
    accessModes?: string[];
    volumeMode?: string;
    storageClassName?: string;
    resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
    dataSourceRef?: unknown;
  };
  status?: { phase?: string; capacity?: Record<string, string>; accessModes?: string[] };
}

/** CDI's. Types of its spec come with the templates in a VM. */
export interface DataVolume extends KubeObject {
  spec?: V1beta1DataVolumeSpec;
  status?: { phase?: string; conditions?: Condition[] };
}

export interface StorageProfile extends KubeObject {
  status?: { claimPropertySets?: { accessModes?: string[]; volumeMode?: string }[]; snapshotClass?: string };
}

export interface CDIConfig extends KubeObject {
  /** Shares of a file system that can't be used, as decimals in text. */
  status?: { filesystemOverhead?: { global?: string; storageClass?: Record<string, string> } };
}

export interface CloneSource {
  name: string;
  /** Absent: that of the object which names it. */
  namespace?: string;
}

interface DataSourceSource {
  pvc?: CloneSource;
  snapshot?: CloneSource;
  dataSource?: CloneSource;
}

export interface DataSource extends KubeObject {
  spec?: { source?: DataSourceSource };
  status?: { source?: DataSourceSource };
}

export interface StorageClass extends KubeObject {
  provisioner?: string;
  volumeBindingMode?: string;
}

export interface VirtualMachineInstanceMigration extends KubeObject {
  spec: V1VirtualMachineInstanceMigrationSpec;
  status?: Omit<V1VirtualMachineInstanceMigrationStatus, 'conditions'> & { conditions?: Condition[] };
}

export interface VolumeSnapshotClass extends KubeObject {
  driver?: string;
}

export interface Namespace extends KubeObject {
  status?: { phase?: string };
}

export interface ResourceQuota extends KubeObject {
  spec?: { hard?: Record<string, string> };
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: { key: string; value?: string; effect: string }[] };
  status?: { conditions?: Condition[] };
}

export interface DaemonSet extends KubeObject {
  status?: { desiredNumberScheduled?: number; currentNumberScheduled?: number; numberReady?: number };
}

export interface Job extends KubeObject {
  spec?: IoK8sApiBatchV1JobSpec;
  status?: { conditions?: Condition[] };
}

/** One entry of `status.stateChangeRequests` of a VM (vm.md 5.2). */
export interface StateChangeRequest {
  action: string;
  uid?: string;
  data?: Record<string, string>;
}
