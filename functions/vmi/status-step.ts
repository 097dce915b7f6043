import type { Action } from '../core/action.ts';
import { failureOf } from '../core/context.ts';
import type { Pod } from '../core/objects.ts';
import { findBackendStorageClaim } from '../rules/backend-storage/find-claim.ts';
import { withBackendStorage } from '../rules/backend-storage/volume-entry.ts';
import { updateActivePods } from './active-pods.ts';
import { updateDataVolumesReady } from './data-volumes-ready-condition.ts';
import { dynamicPodMetadata } from './dynamic-pod-metadata.ts';
import { updateEvictionRequested } from './eviction-condition.ts';
import { renewForegroundFinalizer } from './finalizers.ts';
import { updateLauncherImage } from './launcher-image.ts';
import { updateMemoryOverhead } from './memory-overhead.ts';
import type { Pass } from './pass.ts';
import { pausedPodCondition } from './paused-pod-condition.ts';
import { runPhaseMachine } from './phases/phase-machine.ts';
import type { PodPatch } from './pod-patch.ts';
import { launcherPod } from './pod-predicates.ts';
import { updateReady } from './ready-condition.ts';
import type { StatusDraft, StatusResult } from './status-draft.ts';
import { OK } from './status-draft.ts';
import type { SyncResult } from './sync-step.ts';
import { vmiEvent } from './vmi-event.ts';
import { writeVmi } from './write-vmi.ts';

export interface StatusStep {
  readonly result: StatusResult;
  readonly actions: readonly Action[];
  readonly requeueAfterMs?: number;
}

/** Brings the VMI's status in line with its pod, and some of the pod with the VMI (vmi.md 8). */
export function statusStep(pass: Pass, sync: SyncResult): StatusStep {
  const draft = draftOf(pass, sync);
  const actions: Action[] = [];
  renewForegroundFinalizer(draft.vmi);
  updateActivePods(draft);
  updateReady(draft);
  const podResult = updateLauncherPod(draft, actions);
  if (podResult.type === 'error') return { result: podResult, actions };
  updateDataVolumesReady(draft);
  showBackendStorage(draft);
  const pod = launcherPod(draft.pod);
  if (pod !== undefined) updateMemoryOverhead(draft, pod);
  const result = runPhaseMachine(draft);
  actions.push(...draft.events.map((event) => vmiEvent(pass.vmi, event)));
  if (result.type !== 'ok') return { result, actions };
  updateEvictionRequested(draft);
  const write = writeVmi(draft);
  if (write !== undefined) actions.push(write);
  const { requeueAfterMs } = draft;
  return { result, actions, ...(requeueAfterMs === undefined ? {} : { requeueAfterMs }) };
}

/** Step 6 of the common part (vmi.md 9.4). */
function showBackendStorage({ vmi, pass }: StatusDraft): void {
  const claim = findBackendStorageClaim(vmi, pass.reads.stateClaims);
  if (claim !== undefined) vmi.status.volumeStatus = withBackendStorage(vmi.status.volumeStatus, claim);
}

function draftOf(pass: Pass, sync: SyncResult): StatusDraft {
  const { status = {}, ...vmi } = structuredClone(sync.vmi ?? pass.vmi);
  return {
    pass,
    vmi: { ...vmi, status },
    pod: sync.pod,
    syncError: sync.error,
    shownError: sync.error,
    events: [],
    preconditions: [],
    result: OK,
  };
}

/** Step 4 of the common part: what the VMI and its launcher pod tell each other. */
function updateLauncherPod(draft: StatusDraft, actions: Action[]): StatusResult {
  const { pass } = draft;
  const pod = launcherPod(draft.pod);
  if (pod === undefined) return OK;
  updateLauncherImage(draft, pod);
  const steps: readonly ((current: Pod) => PodPatch | undefined)[] = [
    (current) => pausedPodCondition(draft.vmi, current, pass.context.nowMs),
    (current) => dynamicPodMetadata(draft.vmi, current, pass.context.configuration),
  ];
  let current = pod;
  for (const step of steps) {
    const patch = step(current);
    if (patch === undefined) continue;
    const failure = failureOf(pass.context, patch.action.id);
    if (failure !== undefined) {
      return { type: 'error', reason: `Failed to patch pod ${pod.metadata.name}: ${failure.message}` };
    }
    actions.push(patch.action);
    current = patch.pod;
  }
  draft.pod = current;
  return OK;
}
