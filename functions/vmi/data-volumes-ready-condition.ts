import { conditionOf, updateCondition } from '../core/conditions.ts';
import { condition } from './names.ts';
import type { StatusDraft } from './status-draft.ts';
import { dataVolumesOf } from './volumes/data-volumes.ts';

/** Says whether all DataVolumes are ready, by their own condition (vmi.md 8.6). Without any, an old condition stays. */
export function updateDataVolumesReady({ vmi, pass }: StatusDraft): void {
  const states = dataVolumesOf(pass).map((d) => conditionOf(d.status?.conditions, 'Ready')?.status ?? 'Unknown');
  if (states.length === 0) return;
  const status = states.includes('False') ? 'False' : (states.find((s) => s !== 'True') ?? 'True');
  vmi.status.conditions = updateCondition(vmi.status.conditions, {
    type: condition.dataVolumesReady,
    status,
    reason: status === 'True' ? 'AllDVsReady' : 'NotAllDVsReady',
    message: status === 'True' ? 'All DataVolumes are ready' : 'Not all DataVolumes are ready',
  });
}
