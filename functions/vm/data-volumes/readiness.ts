import { conditionOf, isConditionStatus } from '../../core/conditions.ts';
import type { DataVolume } from '../../core/objects.ts';

/** What a template's data volume means for the start of its VM (vm.md 8). */
export type Readiness = 'ready' | 'not-ready' | 'failed' | 'over-quota';

/** Filled, or filled as soon as there is a pod to use it. */
const READY = new Set(['Succeeded', 'WaitForFirstConsumer', 'PendingPopulation']);

export function readinessOf({ status }: DataVolume): Readiness {
  const phase = status?.phase ?? '';
  if (READY.has(phase)) return 'ready';
  if (phase === 'Failed') return 'failed';
  const bound = conditionOf(status?.conditions, 'Bound');
  const isOverQuota = phase === 'Pending' && bound?.status !== 'True' && bound?.reason === 'ErrExceededQuota';
  return isOverQuota ? 'over-quota' : 'not-ready';
}

/** Printable status `DataVolumeError` (vm.md 12.5, rule 7). */
export function hasDataVolumeFailed({ status }: DataVolume): boolean {
  const running = conditionOf(status?.conditions, 'Running');
  const reason = running?.status === 'False' ? running.reason : undefined;
  return status?.phase === 'Failed' || reason === 'Error' || reason === 'ImagePullFailed';
}

/** Printable status `Provisioning` (vm.md 12.5, rule 9). */
export function isDataVolumeFilling({ status }: DataVolume): boolean {
  const phase = status?.phase ?? '';
  if (phase === 'Succeeded' || phase === 'PendingPopulation') return false;
  return phase !== 'WaitForFirstConsumer' || isConditionStatus(status?.conditions, 'Bound');
}
