import type { UpdateAction } from '../core/action.ts';
import { semanticallyEqual } from '../core/semantic-equal.ts';
import { writtenForm } from '../core/written-form/written-form.ts';
import { stampPhase } from './phase-timestamps.ts';
import type { StatusDraft } from './status-draft.ts';
import { updateSynchronized } from './synchronized-condition.ts';

export const WRITE_ID = 'write vmi';

/** Before the hand-over and after the end: the whole object, if status or metadata changed (vmi.md 10.2). */
export function vmiUpdate(draft: StatusDraft): UpdateAction | undefined {
  updateSynchronized(draft);
  stampPhase(draft);
  return isChanged(draft) ? { id: WRITE_ID, verb: 'update', object: writtenForm(draft.vmi) } : undefined;
}

/** The spec is not looked at: a probe that rendering changed never causes a write by itself (vmi.md 3.10). */
function isChanged({ vmi, pass }: StatusDraft): boolean {
  const { status: oldStatus, metadata: old } = pass.vmi;
  const { status, metadata } = vmi;
  return !(
    semanticallyEqual(oldStatus ?? {}, status, 'VirtualMachineInstanceStatus') &&
    semanticallyEqual(old.finalizers, metadata.finalizers, '[]s') &&
    semanticallyEqual(old.annotations, metadata.annotations, '{}s') &&
    semanticallyEqual(old.labels, metadata.labels, '{}s')
  );
}
