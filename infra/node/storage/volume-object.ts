import type { Claim, PersistentVolume, StorageClass } from './objects.ts';
import { HOSTNAME, PROVISIONED_BY, PROVISIONER, VOLUME_FINALIZER } from './provisioner.ts';

/** As provisioners name volumes: one name for each claim, whoever makes it. */
export function volumeNameOf(claim: Claim): string {
  return `pvc-${claim.metadata.uid}`;
}

/** The volume for a claim, on one node, at a path there. */
export function volumeFor(claim: Claim, storageClass: StorageClass, nodeName: string, path: string): PersistentVolume {
  const { name, namespace, uid } = claim.metadata;
  const { accessModes, resources, volumeMode = 'Filesystem', storageClassName } = claim.spec;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: volumeNameOf(claim),
      annotations: { [PROVISIONED_BY]: PROVISIONER },
      finalizers: [VOLUME_FINALIZER],
    },
    spec: {
      accessModes,
      capacity: { storage: resources?.requests?.storage ?? '0' },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      local: { path },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: HOSTNAME, operator: 'In', values: [nodeName] }] }],
        },
      },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName,
      volumeMode,
    },
  };
}

/** Whether the node's driver has made that volume, and so has its file. */
export function isOfNode({ metadata, spec }: PersistentVolume, nodeName: string): boolean {
  const [term, ...more] = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const host = term?.matchExpressions?.find(({ key }) => key === HOSTNAME);
  return (
    metadata.annotations?.[PROVISIONED_BY] === PROVISIONER &&
    more.length === 0 &&
    host?.operator === 'In' &&
    host.values?.length === 1 &&
    host.values[0] === nodeName
  );
}
