/**
 * How a step of a pass ended (vm.md 3.1, chapter 4).
 *
 * | type | what follows | outcome |
 * |---|---|---|
 * | `next` | the next step | |
 * | `status` | no more steps of sync, then the status | `done`, or a wake-up |
 * | `end` | nothing: the object that was just written comes back and makes the next pass | `done` |
 * | `sync-error` | no more steps of sync, then the status with condition `Failure` | `retry` |
 * | `hard-error` | nothing, no status | `retry` |
 */
export type Step =
  | { readonly type: 'next' }
  | { readonly type: 'status' }
  | { readonly type: 'end' }
  | SyncError
  | { readonly type: 'hard-error'; readonly message: string };

export interface SyncError {
  readonly type: 'sync-error';
  readonly reason: FailureReason;
  readonly message: string;
}

/** Reasons of the condition `Failure` (vm.md 13). */
export type FailureReason =
  | 'FailedCreate'
  | 'FailedDelete'
  | 'FailedFindInstancetype'
  | 'FailedFindPreference'
  | 'FailedUpdateError'
  | 'HotPlugVolumeError'
  | 'HotPlugCPUError'
  | 'HotPlugMemoryError'
  | 'AffinityChangeError'
  | 'TolerationsChangeError'
  | 'VolumesUpdateError'
  | 'AnnotationsLabelsChangeError'
  | 'MemoryDumpError'
  | 'HotPlugNetworkInterfaceError'
  | 'FirmwareUUIDError'
  | 'UnsupportedSyncError';

export const next: Step = { type: 'next' };
/** "Stop here": leave sync without error and go to the status. */
export const toStatus: Step = { type: 'status' };
export const endPass: Step = { type: 'end' };

export function syncError(reason: FailureReason, message: string): SyncError {
  return { type: 'sync-error', reason, message };
}

export function hardError(message: string): Step {
  return { type: 'hard-error', message };
}
