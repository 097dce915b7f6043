/** Name by which storage classes ask for volumes of the node agents. */
export const PROVISIONER = 'virt-functions/local';

/** At a claim: whom kube-controller-manager wants to provision it. */
export const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
/** At a claim whose class waits for its first consumer: the node that kube-scheduler has chosen for that. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
/** At a volume: who has made it, and deletes it. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
/** Keeps a volume until its file is gone, though it was deleted before its claim; named as other provisioners name it. */
export const VOLUME_FINALIZER = 'external-provisioner.volume.kubernetes.io/finalizer';
/** Label of a node by which volumes say where they are. */
export const HOSTNAME = 'kubernetes.io/hostname';
export const WAIT_FOR_FIRST_CONSUMER = 'WaitForFirstConsumer';
