import type { VirtualMachineInstance } from '../core/objects.ts';

/** "Final": it runs no more and never will again. */
export function isFinal(instance: VirtualMachineInstance): boolean {
  return instance.status?.phase === 'Failed' || instance.status?.phase === 'Succeeded';
}

export function isBeingDeleted(instance: VirtualMachineInstance): boolean {
  return instance.metadata.deletionTimestamp !== undefined;
}

export function wasEverRunning(instance: VirtualMachineInstance): boolean {
  return instance.status?.phaseTransitionTimestamps?.some((t) => t.phase === 'Running') === true;
}

/** "Migrating" (vm.md, chapter 7): begun, and not ended; times in the future do not count yet. */
export function isMigrating(instance: VirtualMachineInstance, nowMs: number): boolean {
  const state = instance.status?.migrationState;
  return isPast(state?.startTimestamp, nowMs) && !isPast(state?.endTimestamp, nowMs);
}

function isPast(time: string | null | undefined, nowMs: number): boolean {
  return time !== undefined && time !== null && Date.parse(time) <= nowMs;
}

/** vm.md 5.9. */
export type DecentralizedMigration = 'none' | 'going-on' | 'completed';

export function decentralizedMigration(instance: VirtualMachineInstance): DecentralizedMigration {
  const state = instance.status?.migrationState;
  if (!state?.sourceState || !state.targetState) return 'none';
  const addresses = [state.sourceState.syncAddress, state.targetState.syncAddress];
  if (addresses.filter((a) => a !== undefined && a !== null).length !== 1) return 'none';
  return state.completed === true ? 'completed' : 'going-on';
}
