import type { PersistentVolumeClaim, StorageClass } from '../../core/objects.ts';

/** `ready`: a pod may mount it, if only to have it bound. */
export type ClaimState =
  | { readonly type: 'ready' | 'not-ready' }
  | { readonly type: 'error'; readonly message: string };

/** How far a claim for a VMI's state is (vmi.md 9.3). */
export function backendStorageState(
  { metadata, spec, status }: PersistentVolumeClaim,
  storageClasses: readonly StorageClass[],
): ClaimState {
  const phase = status?.phase ?? '';
  if (phase === 'Bound') return { type: 'ready' };
  if (phase === 'Lost') return { type: 'error', message: `Claim ${metadata.name} has lost its volume` };
  if (phase !== 'Pending') return { type: 'not-ready' };
  const storageClass = storageClasses.find((c) => c.metadata.name === spec.storageClassName);
  if (storageClass === undefined) {
    const name = spec.storageClassName ?? '';
    const message = name === '' ? 'has no storage class' : `is of storage class ${name}, which does not exist`;
    return { type: 'error', message: `Claim ${metadata.name} ${message}` };
  }
  return { type: storageClass.volumeBindingMode === 'WaitForFirstConsumer' ? 'ready' : 'not-ready' };
}
