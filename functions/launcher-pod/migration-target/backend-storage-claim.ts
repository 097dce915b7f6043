import type { PersistentVolumeClaim } from '../../core/objects.ts';
import type { Migration } from './migration.ts';

/**
 * The claim with the VMI's state that the target mounts (launcher-pod.md 16.2): the one that the migration names, without
 * any other in its place, else the one that is labelled with the migration's name.
 */
export function findTargetBackendStorageClaim(
  migration: Migration,
  claims: readonly PersistentVolumeClaim[],
): PersistentVolumeClaim | undefined {
  const { name, namespace } = migration.metadata;
  const own = claims.filter((c) => c.metadata.namespace === namespace);
  const recorded = migration.status?.migrationState?.targetPersistentStatePVCName ?? '';
  return recorded === ''
    ? own.find((c) => c.metadata.labels?.['kubevirt.io/migrationName'] === name)
    : own.find((c) => c.metadata.name === recorded);
}
