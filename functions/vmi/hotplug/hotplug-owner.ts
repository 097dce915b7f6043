import type { ObjectIndex } from '../../core/object-index.ts';
import type { Pod } from '../../core/objects.ts';
import { controllerOf } from '../../core/owner.ts';
import { annotation } from '../names.ts';

/**
 * Attachment and trigger pods, by the uid of the launcher pod that owns them and by that of its VMI, which they bear as an
 * annotation: the one to find them, the other so that their end is seen though the launcher pod went first (vmi.md 2.4).
 */
export const byHotplugOwner: ObjectIndex<Pod> = {
  name: 'hotplugOwner',
  valuesOf: (pod) => {
    const owner = controllerOf(pod);
    if (owner?.kind !== 'Pod') return [];
    const vmiUid = pod.metadata.annotations?.[annotation.ownerVmiUid] ?? '';
    return vmiUid === '' ? [owner.uid] : [owner.uid, vmiUid];
  },
};
