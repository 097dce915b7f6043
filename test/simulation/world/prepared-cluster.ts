/** What the scenarios find in a cluster (conformance/prepare.mjs), as objects. */
export interface PreparedObject {
  readonly path: string;
  readonly object: object;
}

const namespace = (name: string): PreparedObject => ({
  path: '/api/v1/namespaces',
  object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
});

const storageClass = (name: string, volumeBindingMode: string): PreparedObject => ({
  path: '/apis/storage.k8s.io/v1/storageclasses',
  object: {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'csi.example',
    volumeBindingMode,
  },
});

/** In the order in which they are made. */
export const preparedObjects: readonly PreparedObject[] = [
  namespace('kube-system'),
  namespace('default'),
  namespace('kubevirt'),
  {
    path: '/apis/kubevirt.io/v1/namespaces/kubevirt/kubevirts',
    object: {
      apiVersion: 'kubevirt.io/v1',
      kind: 'KubeVirt',
      metadata: { name: 'kubevirt', namespace: 'kubevirt' },
      spec: { configuration: {} },
    },
  },
  {
    path: '/apis/cdi.kubevirt.io/v1beta1/cdis',
    object: { apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDI', metadata: { name: 'cdi' }, spec: {} },
  },
  {
    path: '/apis/cdi.kubevirt.io/v1beta1/cdiconfigs',
    object: { apiVersion: 'cdi.kubevirt.io/v1beta1', kind: 'CDIConfig', metadata: { name: 'config' }, spec: {} },
  },
  storageClass('manual', 'Immediate'),
  storageClass('wffc', 'WaitForFirstConsumer'),
  {
    path: '/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses',
    object: {
      apiVersion: 'snapshot.storage.k8s.io/v1',
      kind: 'VolumeSnapshotClass',
      metadata: { name: 'snap' },
      driver: 'csi.example',
      deletionPolicy: 'Delete',
    },
  },
];

/** Status of objects among them, which is a subresource. */
export const preparedStatuses: readonly PreparedObject[] = [
  {
    path: '/apis/kubevirt.io/v1/namespaces/kubevirt/kubevirts/kubevirt/status',
    object: { status: { phase: 'Deployed' } },
  },
  {
    path: '/apis/cdi.kubevirt.io/v1beta1/cdiconfigs/config/status',
    object: { status: { filesystemOverhead: { global: '0.055', storageClass: {} } } },
  },
];
