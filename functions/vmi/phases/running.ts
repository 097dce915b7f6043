import type { Pod } from '../../core/objects.ts';
import { updateInterfaces } from '../network/interfaces.ts';
import { updateMigrationRequired } from '../network/migration-required.ts';
import { launcherPod } from '../pod-predicates.ts';
import { type StatusDraft, setPhase } from '../status-draft.ts';
import type { MigrationState } from '../vmi-types.ts';
import { updateVolumeStatus } from '../volumes/volume-status.ts';
import { showHotMemoryChange, showHotVcpuChange, showVolumesChange } from './live-changes.ts';
import { failWithoutPod } from './missing-pod.ts';

/** Running: virt-handler owns the phase; a finished pod alone does not change it (vmi.md 8.3). */
export function advanceRunning(draft: StatusDraft): void {
  const pod = launcherPod(draft.pod);
  if (pod === undefined) return failWithoutPod(draft);
  if (isMovedAway(pod, draft.pass.vmi.status?.migrationState)) return setPhase(draft, 'Succeeded');
  const volumes = updateVolumeStatus(draft, pod);
  if (volumes.type !== 'ok') return void (draft.result = volumes);
  updateInterfaces(draft, pod);
  showHotVcpuChange(draft);
  showHotMemoryChange(draft);
  showVolumesChange(draft);
  updateMigrationRequired(draft, pod);
}

/** The guest went to another cluster or namespace, and its pod here ended well. */
function isMovedAway(pod: Pod, migration: MigrationState | undefined): boolean {
  return pod.status?.phase === 'Succeeded' && migration?.completed === true && isDecentralized(migration);
}

/** Two VMIs take part, and exactly one side says where to synchronize. */
function isDecentralized({ sourceState, targetState }: MigrationState): boolean {
  if (sourceState === undefined || targetState === undefined) return false;
  return ((sourceState.syncAddress ?? '') === '') !== ((targetState.syncAddress ?? '') === '');
}
