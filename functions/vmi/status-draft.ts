import type { Precondition } from '../core/action.ts';
import type { Needs } from '../core/needs.ts';
import type { Pod, VirtualMachineInstance } from '../core/objects.ts';
import type { Pass, SyncError } from './pass.ts';
import type { VmiEvent } from './vmi-event.ts';
import type { VmiStatus } from './vmi-types.ts';

/**
 * The VMI as the status step is about to write it (vmi.md 8). The rules of the step change it one after another; phases are
 * looked up in the VMI as it was read.
 */
export interface StatusDraft {
  readonly pass: Pass;
  /** A copy of the VMI, changed in place. */
  readonly vmi: VirtualMachineInstance & { status: VmiStatus };
  /** The current pod, as the sync step and this step patched it; temporary ones too. */
  pod: Pod | undefined;
  readonly syncError: SyncError | undefined;
  /** What the condition `Synchronized` tells: the sync error, or what a phase puts in its place. */
  shownError: Pick<SyncError, 'reason' | 'message'> | undefined;
  readonly events: VmiEvent[];
  /** What must hold at the API when the VMI is written. */
  readonly preconditions: Precondition[];
  requeueAfterMs?: number;
  /** What the rules of a phase have come to. */
  result: StatusResult;
}

/**
 * How the status step ends: an error leaves the VMI unwritten (vmi.md 4, step 7); with `needs` the pass is run again when it has
 * got them.
 */
export type StatusResult =
  | { readonly type: 'ok' }
  | { readonly type: 'error'; readonly reason: string }
  | { readonly type: 'needs'; readonly needs: Needs };

export const OK: StatusResult = { type: 'ok' };

export function setPhase(draft: StatusDraft, phase: string): void {
  draft.vmi.status.phase = phase;
}
