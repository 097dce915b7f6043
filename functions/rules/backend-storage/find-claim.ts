/** Finding the claim with a VMI's state (vmi.md 9.1, launcher-pod.md 12.6). */
import { identityOf } from '../../core/identity.ts';
import { keyFor, type ObjectIndex } from '../../core/object-index.ts';
import type { PersistentVolumeClaim, VirtualMachineInstance } from '../../core/objects.ts';
import { MIGRATION_NAME, STATE_OF } from './names.ts';

type Named = Pick<VirtualMachineInstance, 'metadata'>;

/** By label, else by its old name. One that is being deleted is none. */
export function findBackendStorageClaim(
  { metadata: { name, namespace } }: Named,
  claims: readonly PersistentVolumeClaim[],
): PersistentVolumeClaim | undefined {
  const own = claims.filter((c) => c.metadata.namespace === namespace && c.metadata.deletionTimestamp === undefined);
  return (
    own.find((c) => c.metadata.labels?.[STATE_OF] === name) ??
    own.find((c) => c.metadata.name === `${STATE_OF}-${name}`)
  );
}

/** Claims by `<namespace>/<name>` of the VMI whose state they may hold, those that are being deleted included. */
export const byStateOwner: ObjectIndex<PersistentVolumeClaim> = {
  name: 'stateOwner',
  valuesOf: ({ metadata: { name, namespace, labels } }) => {
    const owners = [labels?.[STATE_OF], name.startsWith(`${STATE_OF}-`) ? name.slice(STATE_OF.length + 1) : undefined];
    return owners.flatMap((owner) => (owner === undefined ? [] : keyFor(namespace, owner)));
  },
};

/** Claims by `<namespace>/<name>` of the migration whose target is to use them. */
export const byMigration: ObjectIndex<PersistentVolumeClaim> = {
  name: 'migration',
  valuesOf: ({ metadata: { namespace, labels } }) => {
    const migration = labels?.[MIGRATION_NAME];
    return migration === undefined ? [] : [keyFor(namespace, migration)];
  },
};

/** What these rules look at in a claim. */
export function backendStorageProjection(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const identity = identityOf(claim);
  const { deletionTimestamp, labels } = claim.metadata;
  const { accessModes, storageClassName } = claim.spec;
  const { phase, accessModes: boundModes } = claim.status ?? {};
  return {
    ...identity,
    metadata: {
      ...identity.metadata,
      ...(labels === undefined ? {} : { labels }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    spec: {
      ...(accessModes === undefined ? {} : { accessModes }),
      ...(storageClassName === undefined ? {} : { storageClassName }),
    },
    status: {
      ...(phase === undefined ? {} : { phase }),
      ...(boundModes === undefined ? {} : { accessModes: boundModes }),
    },
  };
}
