import type { Claim, PersistentVolume, StorageClass } from '../../../../infra/node/storage/objects.ts';
import { PROVISIONER, SELECTED_NODE, STORAGE_PROVISIONER } from '../../../../infra/node/storage/provisioner.ts';
import { volumeFor } from '../../../../infra/node/storage/volume-object.ts';

export const waiting: StorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'local' },
  provisioner: PROVISIONER,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'WaitForFirstConsumer',
};
export const immediate: StorageClass = {
  ...waiting,
  metadata: { name: 'local-immediate' },
  volumeBindingMode: 'Immediate',
};

/** A claim as kube-controller-manager hands it to the driver, node chosen where its class waits for that. */
export function claim(name: string, storageClass: StorageClass, size = '1Mi', selected = 'node-a'): Claim {
  const waits = storageClass.volumeBindingMode === 'WaitForFirstConsumer';
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace: 'default',
      uid: uidOf(name),
      annotations: { [STORAGE_PROVISIONER]: PROVISIONER, ...(waits ? { [SELECTED_NODE]: selected } : {}) },
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: storageClass.metadata.name,
      resources: { requests: { storage: size } },
      volumeMode: 'Filesystem',
    },
    status: { phase: 'Pending' },
  };
}

export function volume(of: Claim, storageClass: StorageClass, node = 'node-a'): PersistentVolume {
  return volumeFor(of, storageClass, node, `/data/volumes/pvc-${of.metadata.uid}`);
}

export function uidOf(name: string): string {
  return `00000000-0000-4000-8000-${Buffer.from(name.padEnd(6, '-').slice(0, 6)).toString('hex')}`;
}
