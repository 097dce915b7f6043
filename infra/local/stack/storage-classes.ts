import { PROVISIONER } from '../../node/storage/provisioner.ts';
import { createUnlessThere } from '../create-unless-there.ts';
import type { KubeRequest } from '../kube-client.ts';

/** Names of the storage classes whose volumes are files of the nodes. */
export const storageClassNames = { waiting: 'local', immediate: 'local-immediate' } as const;

/**
 * Makes the embedded cluster's storage classes: the default one waits for the pod that uses the claim, the other has claims bound
 * at once. Those that exist are left as they are.
 */
export async function installStorageClasses(request: KubeRequest): Promise<void> {
  const { waiting, immediate } = storageClassNames;
  const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  await Promise.all([
    create(request, { name: waiting, annotations: isDefault }, 'WaitForFirstConsumer'),
    create(request, { name: immediate }, 'Immediate'),
  ]);
}

function create(request: KubeRequest, metadata: object, volumeBindingMode: string): Promise<void> {
  return createUnlessThere(request, '/apis/storage.k8s.io/v1/storageclasses', {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata,
    provisioner: PROVISIONER,
    reclaimPolicy: 'Delete',
    volumeBindingMode,
  });
}
