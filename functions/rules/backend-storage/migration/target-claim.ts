import type { PersistentVolumeClaim } from '../../../core/objects.ts';
import { findBackendStorageClaim } from '../find-claim.ts';
import { MIGRATION_NAME } from '../names.ts';
import { type NewClaim, type NewClaimInput, newBackendStorageClaim } from '../new-claim.ts';
import type { StateMigration } from './migration.ts';

/**
 * The claim that a migration's target uses (migration.md 9.2).
 *
 * - `named`: it is there, or was recorded; `isThere` says which.
 * - `shared`: source and target use the VMI's own, which several nodes can mount.
 * - `claim`: it is to be created.
 */
export type TargetClaim =
  | { readonly type: 'named'; readonly name: string; readonly isThere: boolean }
  | { readonly type: 'shared'; readonly name: string }
  | NewClaim;

export interface TargetClaimInput extends Omit<NewClaimInput, 'holder'> {
  readonly migration: StateMigration;
  /** Those of the VMI and those of the migration. */
  readonly claims: readonly PersistentVolumeClaim[];
}

export function targetClaim({ migration, claims, ...input }: TargetClaimInput): TargetClaim {
  const recorded = migration.status?.migrationState?.targetPersistentStatePVCName ?? '';
  const { name, namespace, uid = '' } = migration.metadata;
  const own = claims.filter((c) => c.metadata.namespace === namespace);
  const present =
    recorded === ''
      ? own.find((c) => c.metadata.labels?.[MIGRATION_NAME] === name)
      : own.find((c) => c.metadata.name === recorded);
  if (present !== undefined) return { type: 'named', name: present.metadata.name, isThere: true };
  if (recorded !== '') return { type: 'named', name: recorded, isThere: false };
  const source = findBackendStorageClaim(input.vmi, claims);
  if (source?.status?.accessModes?.[0] === 'ReadWriteMany') return { type: 'shared', name: source.metadata.name };
  return newBackendStorageClaim({ ...input, holder: { type: 'migration', name, uid } });
}
