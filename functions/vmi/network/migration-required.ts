import { conditionOf, removeCondition, updateCondition } from '../../core/conditions.ts';
import { timestamp } from '../../core/context.ts';
import type { Condition, Pod } from '../../core/objects.ts';
import { condition } from '../names.ts';
import type { StatusDraft } from '../status-draft.ts';
import type { MigrationState } from '../vmi-types.ts';
import { type MigrationNeed, migrationNeed } from './migration-need.ts';

const GRACE_MS = 15_000;
const LOOK_AGAIN_AFTER_MS = 10_000;

/** Keeps `MigrationRequired` (vmi.md 11.6). A need that may pass by itself gets some seconds to do so. */
export function updateMigrationRequired(draft: StatusDraft, pod: Pod): void {
  const { vmi, pass } = draft;
  const { nowMs } = pass.context;
  if (isMigrating(vmi.status.migrationState, nowMs)) return;
  const { conditions } = vmi.status;
  const present = conditionOf(conditions, condition.migrationRequired);
  const need = afterGrace(migrationNeed(vmi, pod), present, nowMs);
  if (need === 'none') {
    vmi.status.conditions = removeCondition(conditions, condition.migrationRequired);
    return;
  }
  if (present?.status === 'True') return;
  vmi.status.conditions = updateCondition(conditions, {
    type: condition.migrationRequired,
    ...(need === 'immediate'
      ? { status: 'True', reason: 'AutoMigrationDueToLiveUpdate' }
      : { status: 'False', reason: 'AutoMigrationPending' }),
    lastTransitionTime: timestamp(nowMs),
  });
  if (need === 'pending') draft.requeueAfterMs = LOOK_AGAIN_AFTER_MS;
}

function afterGrace(need: MigrationNeed, present: Condition | undefined, nowMs: number): MigrationNeed {
  if (need !== 'pending' || present?.status !== 'False') return need;
  return nowMs - Date.parse(present.lastTransitionTime ?? '') > GRACE_MS ? 'immediate' : 'pending';
}

/** vmi.md 3.9. */
function isMigrating(state: MigrationState | undefined, nowMs: number): boolean {
  return isPast(state?.startTimestamp, nowMs) && !isPast(state?.endTimestamp, nowMs);
}

function isPast(time: string | null | undefined, nowMs: number): boolean {
  return time !== undefined && time !== null && Date.parse(time) <= nowMs;
}
