/** Migrations that forbid making a launcher pod (vmi.md 6.4, step 4). */
import { identityOf } from '../core/identity.ts';
import { keyFor, type ObjectIndex } from '../core/object-index.ts';
import type { VirtualMachineInstanceMigration } from '../core/objects.ts';

const INACTIVE = new Set(['', 'Pending', 'WaitingForSync', 'Synchronizing', 'Succeeded', 'Failed']);

/** Migrations by the VMI that they move. */
export const byMigratedVmi: ObjectIndex<VirtualMachineInstanceMigration> = {
  name: 'migratedVmi',
  valuesOf: ({ metadata, spec }) => (spec.vmiName === undefined ? [] : [keyFor(metadata.namespace, spec.vmiName)]),
};

/** Only how far it is. */
export function migrationProjection(migration: VirtualMachineInstanceMigration): VirtualMachineInstanceMigration {
  const { vmiName, sendTo, receive } = migration.spec;
  const phase = migration.status?.phase;
  const spec = { vmiName, sendTo, receive };
  return { ...identityOf(migration), spec, ...(phase === undefined ? {} : { status: { phase } }) };
}

/** A migration that is being scheduled counts, but for one that only sends to another cluster. */
export function isActiveMigration({ spec, status }: VirtualMachineInstanceMigration): boolean {
  const phase = status?.phase ?? '';
  if (phase === 'Scheduling' && spec.sendTo !== undefined && spec.receive === undefined) return false;
  return !INACTIVE.has(phase);
}
