import { removeCondition } from '../../core/conditions.ts';
import type { Pod } from '../../core/objects.ts';
import { setLabel } from '../labels.ts';
import { annotation, condition, label } from '../names.ts';
import { updateInterfaces } from '../network/interfaces.ts';
import { isDownOrGoingDown, isReady, launcherPod } from '../pod-predicates.ts';
import { followPodScheduled } from '../pod-scheduled-condition.ts';
import { type StatusDraft, setPhase } from '../status-draft.ts';
import { isBeingDeleted } from '../vmi-phase.ts';
import type { VmiStatus } from '../vmi-types.ts';
import { updateVolumeStatus } from '../volumes/volume-status.ts';
import { attachVsock } from '../vsock.ts';
import { endWithoutGuest, loseLauncherPod } from './missing-pod.ts';

/** Scheduling: the launcher pod is on its way to a node and to its start (vmi.md 8.3). */
export function advanceScheduling(draft: StatusDraft): void {
  const { status } = draft.vmi;
  status.conditions = removeCondition(status.conditions, condition.provisioning);
  const pod = launcherPod(draft.pod);
  if (pod === undefined) return loseLauncherPod(draft);

  // The generated types hold the same classes in two enumerations.
  status.qosClass = pod.status?.qosClass as VmiStatus['qosClass'];
  followPodScheduled(draft, pod);
  draft.shownError = imageError(pod) ?? draft.shownError;

  if (isReady(pod) && !isBeingDeleted(draft.pass.vmi)) return handOver(draft, pod);
  if (isDownOrGoingDown(pod)) endWithoutGuest(draft);
}

/** The first container whose image can't be had. */
function imageError(pod: Pod): StatusDraft['shownError'] {
  for (const { state } of [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]) {
    const { reason, message = '' } = state?.waiting ?? {};
    if (reason === 'ErrImagePull' || reason === 'ImagePullBackOff') return { reason, message };
  }
  return undefined;
}

/** From here on virt-handler owns the VMI. */
function handOver(draft: StatusDraft, pod: Pod): void {
  const { vmi } = draft;
  if (vmi.spec.domain.cpu?.dedicatedCpuPlacement === true && pod.status?.qosClass !== 'Guaranteed') {
    const reason = 'FailedGuaranteeResources';
    const message = `Dedicated CPUs need a pod of QoS class Guaranteed, ${pod.metadata.name} is of ${pod.status?.qosClass ?? 'none'}`;
    draft.events.push({ type: 'Warning', reason, message });
    draft.shownError = { reason, message };
    return;
  }
  const volumes = updateVolumeStatus(draft, pod);
  if (volumes.type !== 'ok') return void (draft.result = volumes);
  updateInterfaces(draft, pod);
  setPhase(draft, 'Scheduled');
  const nodeName = pod.spec.nodeName ?? '';
  setLabel(vmi, label.nodeName, nodeName);
  vmi.status.nodeName = nodeName;
  if (pod.metadata.annotations?.[annotation.migrationTransportUnix] !== undefined)
    vmi.status.migrationTransport = 'Unix';
  attachVsock(draft);
}
