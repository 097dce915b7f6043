import type { PersistentVolumeClaim } from '../../core/objects.ts';
import type { Pass } from '../pass.ts';

/** Used where not exactly one CDI is installed. */
const DEFAULT_OVERHEAD = '0.055';

export type FilesystemOverhead =
  | { readonly type: 'known'; readonly share: string }
  | { readonly type: 'unknown'; readonly message: string };

/** The share of a claim's file system that can't hold a disk, a decimal in text (vmi.md 9.8). */
export function filesystemOverhead({ reads }: Pass, claim: PersistentVolumeClaim): FilesystemOverhead {
  if (reads.cdis.length !== 1) return { type: 'known', share: DEFAULT_OVERHEAD };
  if (reads.cdiConfig === undefined) return { type: 'unknown', message: 'CDIConfig config does not exist' };
  if (claim.spec.volumeMode === 'Block') return { type: 'known', share: '0' };
  const overhead = reads.cdiConfig.status?.filesystemOverhead;
  if (overhead === undefined) {
    return { type: 'unknown', message: 'CDIConfig config does not tell the overhead of file systems' };
  }
  const { storageClassName = '' } = claim.spec;
  const ofClass = Object.hasOwn(overhead.storageClass ?? {}, storageClassName)
    ? overhead.storageClass?.[storageClassName]
    : undefined;
  return { type: 'known', share: ofClass ?? overhead.global ?? '' };
}
