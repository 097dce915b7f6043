import { Pod } from '../../../../functions/core/kinds.ts';
import { byController } from '../../../../functions/core/object-index.ts';
import type { Pod as PodObject, VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import type { Caches } from '../../cache/caches.ts';

const CREATED_BY = 'kubevirt.io/created-by';

/** The VMI's running launcher pod on its node. */
export function launcherPodOf(vmi: VirtualMachineInstance, caches: Caches): PodObject | undefined {
  const { uid } = vmi.metadata;
  const node = vmi.status?.nodeName;
  if (uid === undefined || node === undefined || node === '') return undefined;
  const owned = caches.of(Pod).find(byController, uid) as PodObject[];
  return owned.find(
    (pod) => pod.metadata.labels?.[CREATED_BY] === uid && pod.spec.nodeName === node && pod.status?.phase === 'Running',
  );
}
