import type { Action } from '../core/action.ts';
import { conditionOf } from '../core/conditions.ts';
import type { OpenExpectation } from '../core/expectation.ts';
import type { Pod, VirtualMachineInstance } from '../core/objects.ts';
import { missingVirtiofsContainers } from './container-path-volumes.ts';
import { deleteAttachmentPods, deleteOrphanedAttachmentPods } from './hotplug/attachment-deletion.ts';
import { syncHotplug } from './hotplug/sync-hotplug.ts';
import { condition } from './names.ts';
import type { Pass, SyncError } from './pass.ts';
import { createLauncherPod } from './pod-creation.ts';
import { deleteOwnedPods } from './pod-deletion.ts';
import { maintainPod } from './pod-maintenance.ts';
import { isReady, isTemporary } from './pod-predicates.ts';
import { cleanUpTemporaryPods } from './temporary-pods.ts';
import { vmiEvent } from './vmi-event.ts';
import { awaitsSynchronization, isBeingDeleted, isFinal } from './vmi-phase.ts';
import { volumeReadiness } from './volumes/volume-readiness.ts';

export interface SyncResult {
  readonly actions: readonly Action[];
  readonly error?: SyncError;
  /** The pod for the status step: the current one as patched, or the one just created. */
  readonly pod?: Pod;
  /** Set if rendering a pod changed the VMI's probes (vmi.md 3.10). */
  readonly vmi?: VirtualMachineInstance;
  /** Work that was left undone until an earlier write is seen. */
  readonly heldBackBy?: OpenExpectation;
  readonly requeueAfterMs?: number;
}

/** Brings pods in line with the VMI (vmi.md 6). The first row that applies ends the step. */
export function syncStep(pass: Pass, pod: Pod | undefined): SyncResult {
  const { vmi } = pass;
  if (isBeingDeleted(vmi)) return { ...deleteOwnedPods(pass), pod };
  if (isFinal(vmi)) return { ...deleteAttachmentPods(pass, pod), pod };
  return after({ actions: deleteOrphanedAttachmentPods(pass) }, livingStep(pass, pod));
}

/** From row 4 on. */
function livingStep(pass: Pass, pod: Pod | undefined): SyncResult {
  const { vmi } = pass;
  const readiness = volumeReadiness(pass);
  if (readiness.type === 'error') {
    const { error, event, missing } = readiness;
    if (isWaitedFor(vmi, error)) return { actions: [], error, pod };
    return { actions: [{ ...vmiEvent(vmi, event), preconditions: [missing] }], error, pod };
  }
  if (awaitsSynchronization(vmi)) return { actions: [], pod };
  if (pod === undefined) return createLauncherPod(pass, readiness);
  if (readiness.waitsForConsumer) return presentPod(pass, pod, new Set());
  const cleanUp = cleanUpTemporaryPods(pass, pod);
  if (cleanUp.error !== undefined) return { ...cleanUp, pod };
  const leaving = cleanUp.actions.flatMap((a) => (a.verb === 'delete' ? [a.uid] : []));
  return after(cleanUp, presentPod(pass, pod, new Set(leaving)));
}

/** Whether the VMI says already that it waits: nobody tries again, so the event that came with it is not repeated either. */
function isWaitedFor(vmi: VirtualMachineInstance, { type, reason }: SyncError): boolean {
  return type === 'informal' && conditionOf(vmi.status?.conditions, condition.synchronized)?.reason === reason;
}

/** Rows 8 and 9. `leaving`: uids of pods that this pass deletes already. */
function presentPod(pass: Pass, pod: Pod, leaving: ReadonlySet<string>): SyncResult {
  if (isTemporary(pod)) return { actions: [], pod };
  const missing = missingVirtiofsContainers(pass.vmi, pod);
  if (missing.length > 0) return missingContainers(pass.vmi, pod, missing);
  return isReady(pod) ? activePod(pass, pod, leaving) : { actions: [], pod };
}

/** What a step came to, with what was decided before it. */
function after(first: Pick<SyncResult, 'actions' | 'heldBackBy'>, then: SyncResult): SyncResult {
  return { ...first, ...then, actions: [...first.actions, ...then.actions] };
}

function missingContainers(vmi: VirtualMachineInstance, pod: Pod, missing: readonly string[]): SyncResult {
  const reason = 'MissingVirtiofsContainers';
  const message = `Launcher pod ${pod.metadata.name} lacks containers: ${missing.join(', ')}`;
  return {
    actions: [vmiEvent(vmi, { type: 'Warning', reason, message })],
    error: { type: 'retried', reason, message },
    pod,
  };
}

/** Row 9. */
function activePod(pass: Pass, pod: Pod, leaving: ReadonlySet<string>): SyncResult {
  const maintained = maintainPod(pass, pod);
  if (maintained.error !== undefined) return maintained;
  return after(maintained, { ...syncHotplug(pass, maintained.pod, leaving), pod: maintained.pod });
}
