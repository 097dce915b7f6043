import type { Action } from '../core/action.ts';
import { failureOf } from '../core/context.ts';
import { PersistentVolumeClaim as ClaimKind } from '../core/kinds.ts';
import type { PersistentVolumeClaim } from '../core/objects.ts';
import { writtenForm } from '../core/written-form/written-form.ts';
import { backendStorageState } from '../rules/backend-storage/claim-state.ts';
import { findBackendStorageClaim } from '../rules/backend-storage/find-claim.ts';
import { STATE_OF } from '../rules/backend-storage/names.ts';
import { needsBackendStorage } from '../rules/backend-storage/need.ts';
import { newBackendStorageClaim } from '../rules/backend-storage/new-claim.ts';
import type { Pass, SyncError } from './pass.ts';
import type { SyncResult } from './sync-step.ts';

const CREATE_ID = 'create backend storage claim';
const DELETE_ID = 'delete backend storage claim';

/** `ready`: the launcher pod may be made, behind the actions. `ended`: not in this pass. */
export type BackendStorage =
  | { readonly type: 'ready'; readonly actions: readonly Action[]; readonly claim?: PersistentVolumeClaim }
  | { readonly type: 'ended'; readonly result: SyncResult };

/** The claim for the VMI's state, as it has to be before the launcher pod is made (vmi.md 6.4, steps 5 to 7; 9.2, 9.3). */
export function ensureBackendStorage(pass: Pass): BackendStorage {
  const { vmi, reads } = pass;
  const claim = findBackendStorageClaim(vmi, reads.stateClaims);
  if (!needsBackendStorage(vmi)) return claim === undefined ? { type: 'ready', actions: [] } : removed(pass, claim);
  if (claim === undefined) return { type: 'ended', result: created(pass) };
  const state = backendStorageState(claim, reads.storageClasses);
  switch (state.type) {
    case 'ready':
      return { type: 'ready', actions: [], claim };
    case 'not-ready':
      return failed('BackendStorageNotReady', `Claim ${claim.metadata.name} for the state of the VMI is not bound yet`);
    case 'error':
      return failed('FailedBackendStorageProbe', state.message);
  }
}

/** A claim that is needed no longer. */
function removed({ context }: Pass, { kind, metadata }: PersistentVolumeClaim): BackendStorage {
  const { name, namespace, uid = '', resourceVersion = '' } = metadata;
  const failure = failureOf(context, DELETE_ID);
  if (failure !== undefined) {
    return failed('Failed deleting backend storage', `Failed to delete claim ${name}: ${failure.message}`);
  }
  if (context.expectations.some((e) => e.id === DELETE_ID)) return { type: 'ready', actions: [] };
  const target = { kind, namespace, name };
  return { type: 'ready', actions: [{ id: DELETE_ID, verb: 'delete', target, uid, resourceVersion, expect: true }] };
}

/** The claim has to be seen before the pod that mounts it is made. */
function created(pass: Pass): SyncResult {
  const { vmi, reads, context } = pass;
  const heldBackBy = context.expectations.find((e) => e.id === CREATE_ID);
  if (heldBackBy !== undefined) return { actions: [], heldBackBy };
  const reason = 'FailedBackendStorageCreate';
  const made = newBackendStorageClaim({
    vmi,
    holder: { type: 'vmi' },
    configuration: context.configuration,
    storageClasses: reads.storageClasses,
    storageProfiles: reads.storageProfiles,
    borne: new Set(reads.stateClaims.map((c) => c.metadata.name)),
  });
  if (made.type === 'error') return { actions: [], error: retried(reason, made.message) };
  const failure = failureOf(context, CREATE_ID);
  if (failure !== undefined) {
    const message = `Failed to create a claim for the state of the VMI: ${failure.message}`;
    return { actions: [], error: retried(reason, message) };
  }
  return {
    actions: [{ id: CREATE_ID, verb: 'create', object: writtenForm(made.claim), ...unlessThere(pass), expect: true }],
  };
}

/** Another claim with the VMI's state would be forgotten, and the state with it. One on its way out is known, and in nobody's way. */
function unlessThere({ vmi, reads }: Pass): Pick<Action, 'preconditions'> {
  const { name, namespace } = vmi.metadata;
  if (reads.stateClaims.some((c) => c.metadata.labels?.[STATE_OF] === name)) return {};
  return { preconditions: [{ type: 'absent-labels', kind: ClaimKind.kind, namespace, labels: { [STATE_OF]: name } }] };
}

function failed(reason: string, message: string): BackendStorage {
  return { type: 'ended', result: { actions: [], error: retried(reason, message) } };
}

function retried(reason: string, message: string): SyncError {
  return { type: 'retried', reason, message };
}
