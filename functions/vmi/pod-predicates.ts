/** What a launcher pod's status means (vmi.md 3.3). */
import type { Pod } from '../core/objects.ts';
import { annotation, COMPUTE } from './names.ts';
import { isBeingDeleted } from './vmi-phase.ts';

/** Only there to have claims bound; never the guest's pod. */
export function isTemporary(pod: Pod): boolean {
  return pod.metadata.annotations?.[annotation.ephemeralProvisioning] !== undefined;
}

/** The pod, if there is one and it is no temporary one. */
export function launcherPod(pod: Pod | undefined): Pod | undefined {
  return pod === undefined || isTemporary(pod) ? undefined : pod;
}

export function isDown(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

export function isDownOrGoingDown(pod: Pod): boolean {
  return isDown(pod) || computeStatus(pod)?.state?.terminated !== undefined || isBeingDeleted(pod);
}

export function isFailedOrGoingDown(pod: Pod): boolean {
  const exitCode = computeStatus(pod)?.state?.terminated?.exitCode ?? 0;
  return pod.status?.phase === 'Failed' || exitCode !== 0 || isBeingDeleted(pod);
}

/** Ready to be handed over to virt-handler. */
export function isReady(pod: Pod): boolean {
  if (isDownOrGoingDown(pod) || pod.status?.phase !== 'Running') return false;
  return (pod.status.containerStatuses ?? []).every((c) =>
    c.name === COMPUTE || c.name === 'istio-proxy' ? c.state?.running !== undefined : c.ready,
  );
}

function computeStatus(pod: Pod) {
  return pod.status?.containerStatuses?.find((c) => c.name === COMPUTE);
}
