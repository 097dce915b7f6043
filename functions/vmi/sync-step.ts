import type { Action } from '../core/action.ts';
import type { OpenExpectation } from '../core/expectation.ts';
import type { Pod, VirtualMachineInstance } from '../core/objects.ts';
import { missingVirtiofsContainers } from './container-path-volumes.ts';
import type { Pass, SyncError } from './pass.ts';
import { createLauncherPod } from './pod-creation.ts';
import { deleteOwnedPods } from './pod-deletion.ts';
import { maintainPod } from './pod-maintenance.ts';
import { isReady, isTemporary } from './pod-predicates.ts';
import { cleanUpTemporaryPods } from './temporary-pods.ts';
import { vmiEvent } from './vmi-event.ts';
import { awaitsSynchronization, isBeingDeleted, isFinal } from './vmi-phase.ts';
import { hotplugVolumesOf } from './volumes/volume-claims.ts';
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
}

/** Brings pods in line with the VMI (vmi.md 6). The first row that applies ends the step. */
export function syncStep(pass: Pass, pod: Pod | undefined): SyncResult {
  const { vmi } = pass;
  if (isBeingDeleted(vmi)) return { ...deleteOwnedPods(pass), pod };
  if (isFinal(vmi)) return { actions: [], pod };
  const readiness = volumeReadiness(pass);
  if (readiness.type === 'error') {
    return { actions: [vmiEvent(vmi, readiness.event)], error: readiness.error, pod };
  }
  if (awaitsSynchronization(vmi)) return { actions: [], pod };
  if (pod === undefined) return createLauncherPod(pass, readiness);
  if (readiness.waitsForConsumer) return presentPod(pass, pod);
  const cleanUp = cleanUpTemporaryPods(pass, pod);
  return cleanUp.error === undefined ? after(cleanUp, presentPod(pass, pod)) : { ...cleanUp, pod };
}

/** Rows 8 and 9. */
function presentPod(pass: Pass, pod: Pod): SyncResult {
  if (isTemporary(pod)) return { actions: [], pod };
  const missing = missingVirtiofsContainers(pass.vmi, pod);
  if (missing.length > 0) return missingContainers(pass.vmi, pod, missing);
  return isReady(pod) ? activePod(pass, pod) : { actions: [], pod };
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

/** Row 9. Volumes that would have to be hotplugged are an error: they are not attached, and that must show. */
function activePod(pass: Pass, pod: Pod): SyncResult {
  const maintained = maintainPod(pass, pod);
  if (maintained.error !== undefined || isBeingDeleted(pod)) return maintained;
  const volumes = [...hotplugVolumesOf(pass.vmi, pod), ...(pass.vmi.spec.utilityVolumes ?? [])].map((v) => v.name);
  if (volumes.length === 0) return maintained;
  const message = `Volumes are not attached, since hotplug is not served: ${volumes.join(', ')}`;
  return { ...maintained, error: { type: 'retried', reason: 'FailedHotplugSync', message } };
}
