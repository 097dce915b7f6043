import type { ObjectIndex } from '../../../../functions/core/object-index.ts';
import type { VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import type { Caches } from '../../cache/caches.ts';
import { MIGRATION_KIND } from '../migration/migration-kind.ts';

/** Objects by their uid. */
export const byUid: ObjectIndex = {
  name: 'uid',
  valuesOf: (o) => (o.metadata.uid === undefined ? [] : [o.metadata.uid]),
};

/** Name of the migration object that the VMI's migration state tells of; empty when it is gone. */
export function migrationNameOf(vmi: VirtualMachineInstance, caches: Caches): string {
  const uid = vmi.status?.migrationState?.migrationUid;
  if (uid === undefined) return '';
  return caches.named(MIGRATION_KIND)?.find(byUid, uid)[0]?.metadata.name ?? '';
}

export function migrationStatusOf(vmi: VirtualMachineInstance): '' | 'succeeded' | 'failed' {
  const state = vmi.status?.migrationState;
  if (state?.completed !== true) return '';
  return state.failed === true ? 'failed' : 'succeeded';
}
