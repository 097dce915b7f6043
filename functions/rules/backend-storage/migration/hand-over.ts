import type { Action, DeleteAction } from '../../../core/action.ts';
import { pointer, replaceOp, testAndRemove } from '../../../core/json-patch.ts';
import type { PersistentVolumeClaim } from '../../../core/objects.ts';
import { MIGRATION_NAME, STATE_OF } from '../names.ts';
import { isDecentralized, type StateMigration } from './migration.ts';

export const HAND_OVER_ID = 'hand over backend storage';
export const DELETE_SOURCE_ID = 'delete backend storage of the source';
export const DELETE_TARGET_ID = 'delete backend storage of the target';

export type ClaimActions =
  | { readonly type: 'actions'; readonly actions: readonly Action[] }
  | { readonly type: 'error'; readonly message: string };

const NOTHING: ClaimActions = { type: 'actions', actions: [] };

/**
 * The target's claim becomes the VMI's, then the source's goes (vmi.md 9.9, migration.md 9.3). A claim that bears the VMI's name
 * already, and the migration's no more, was handed over by an earlier try: only the rest is left to do.
 */
export function handOverBackendStorage(
  migration: StateMigration,
  claims: readonly PersistentVolumeClaim[],
): ClaimActions {
  const { name } = migration.metadata;
  const { vmiName = '' } = migration.spec;
  const { source, target } = namesOf(migration);
  if (target === '') return error(`Migration ${name} does not say which claim its target uses`);
  if (source === '' && !isDecentralized(migration)) {
    return error(`Migration ${name} does not say which claim its source uses`);
  }
  if (source === target) return NOTHING;
  const own = claims.filter((c) => c.metadata.namespace === migration.metadata.namespace);
  const unclaimed = own.find((c) => c.metadata.labels?.[MIGRATION_NAME] === name);
  const handedOver = own.find((c) => c.metadata.name === target && c.metadata.labels?.[STATE_OF] === vmiName);
  const claim = unclaimed ?? handedOver;
  if (claim === undefined) return error(`The claim for the target of migration ${name} does not exist`);
  const holder = claim.metadata.labels?.[STATE_OF];
  if (holder !== undefined && holder !== vmiName)
    return error(`Claim ${claim.metadata.name} holds the state of ${holder}`);
  const left = own.find((c) => c.metadata.name === source);
  return {
    type: 'actions',
    actions: [
      ...(unclaimed === undefined ? [] : [labelling(unclaimed, name, vmiName)]),
      ...(left === undefined ? [] : [deletion(DELETE_SOURCE_ID, left)]),
    ],
  };
}

/** The target did not come to be: its claim goes (vmi.md 9.9, migration.md 9.4). */
export function abortBackendStorage(
  migration: StateMigration,
  claims: readonly PersistentVolumeClaim[],
): readonly Action[] {
  const { source, target } = namesOf(migration);
  if (target === '' || source === target) return [];
  const { namespace } = migration.metadata;
  const claim = claims.find((c) => c.metadata.name === target && c.metadata.namespace === namespace);
  return claim === undefined ? [] : [deletion(DELETE_TARGET_ID, claim)];
}

export function namesOf({ status }: StateMigration): { readonly source: string; readonly target: string } {
  const { sourcePersistentStatePVCName = '', targetPersistentStatePVCName = '' } = status?.migrationState ?? {};
  return { source: sourcePersistentStatePVCName, target: targetPersistentStatePVCName };
}

function labelling(
  { kind, metadata: { name, namespace } }: PersistentVolumeClaim,
  migration: string,
  vmi: string,
): Action {
  const operations = [
    replaceOp(pointer('metadata', 'labels', STATE_OF), vmi),
    ...testAndRemove(pointer('metadata', 'labels', MIGRATION_NAME), migration),
  ];
  return { id: HAND_OVER_ID, verb: 'patch', target: { kind, namespace, name }, patch: { type: 'json', operations } };
}

function deletion(id: string, { kind, metadata }: PersistentVolumeClaim): DeleteAction {
  const { name, namespace, uid = '', resourceVersion = '' } = metadata;
  return { id, verb: 'delete', target: { kind, namespace, name }, uid, resourceVersion };
}

function error(message: string): ClaimActions {
  return { type: 'error', message };
}
