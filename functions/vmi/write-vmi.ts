import type { PatchAction, UpdateAction } from '../core/action.ts';
import type { StatusDraft } from './status-draft.ts';
import { vmiPatch } from './vmi-patch.ts';
import { isHandedOver } from './vmi-phase.ts';
import { vmiUpdate } from './vmi-update.ts';

/** The one write of a pass on the VMI, if anything changed (vmi.md 10). What it rests on is checked at the API first. */
export function writeVmi(draft: StatusDraft): UpdateAction | PatchAction | undefined {
  const action = isHandedOver(draft.pass.vmi) ? vmiPatch(draft) : vmiUpdate(draft);
  if (action === undefined || draft.preconditions.length === 0) return action;
  return { ...action, preconditions: draft.preconditions };
}
