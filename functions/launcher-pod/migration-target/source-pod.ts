import type { Pod } from '../../core/objects.ts';
import type { RenderedPod } from '../input.ts';

/** The pod that a VM migrates from, or the stand-in that is rendered where that is in another cluster (launcher-pod.md 16.4). */
export type SourcePod = Omit<Pod, 'metadata'> & { readonly metadata: Pick<RenderedPod['metadata'], 'annotations'> };
