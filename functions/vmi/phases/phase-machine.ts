import type { StatusDraft, StatusResult } from '../status-draft.ts';
import { phaseOf } from '../vmi-phase.ts';
import { finishFinal } from './final.ts';
import { advanceRunning } from './running.ts';
import { advanceScheduled } from './scheduled.ts';
import { advanceScheduling } from './scheduling.ts';
import { advanceUnprocessed } from './unprocessed.ts';
import { advanceWaitingForSync } from './waiting-for-sync.ts';

const rules: Readonly<Record<string, (draft: StatusDraft) => void>> = {
  '': advanceUnprocessed,
  Pending: advanceUnprocessed,
  Scheduling: advanceScheduling,
  Scheduled: advanceScheduled,
  Running: advanceRunning,
  Succeeded: finishFinal,
  Failed: finishFinal,
  WaitingForSync: advanceWaitingForSync,
};

/** What follows from the phase in which the VMI was read (vmi.md 8.3). A phase that is not known is an error. */
export function runPhaseMachine(draft: StatusDraft): StatusResult {
  const phase = phaseOf(draft.pass.vmi);
  const rule = Object.hasOwn(rules, phase) ? rules[phase] : undefined;
  if (rule === undefined) return { type: 'error', reason: `The phase ${phase} is not known` };
  rule(draft);
  return draft.result;
}
