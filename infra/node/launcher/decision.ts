import type { Pod, VirtualMachineInstance } from '../../../functions/core/objects.ts';
import type { GuestState } from '../hypervisor/hypervisor.ts';
import type { ImageProblem } from '../images/pod-images.ts';
import type { ClaimsState } from './claims-of-pods.ts';
import type { GuestRecord, StartedRecord } from './guest-record.ts';
import { isTemporary } from './launcher-pod.ts';
import { failed, type Outcome, succeeded } from './outcome.ts';
import { isFinal } from './vmi-report.ts';

/** What is known of one launcher pod that is bound to the node. */
export interface Situation {
  readonly nodeName: string;
  readonly pod: Pod;
  readonly record: GuestRecord | undefined;
  /** The pod's own VMI, from its hand-over on; a later one of the same name does not count. */
  readonly vmi: VirtualMachineInstance | undefined;
  /** State of the record's domain name at the hypervisor. */
  readonly guest: GuestState | undefined;
  /** Of the pod's containerDisks. */
  readonly images: ImagesState;
  /** Of the pod's claims. */
  readonly claims: ClaimsState;
  readonly nowMs: number;
}

/** Images of a pod: all there, some on their way, or one not to be had (for now). */
export type ImagesState =
  | { readonly type: 'ready' }
  | { readonly type: 'pulling' }
  | { readonly type: 'failed'; readonly container: string; readonly reason: ImageProblem; readonly message: string };

/** The next step for a pod. `up`, `running` and `wait` last until something changes; the others lead to a next step. */
export type Decision =
  | { readonly type: 'wait' }
  /** The pod is to say that it is being created; claims come before images, as with a kubelet. */
  | { readonly type: 'await-claims'; readonly problem?: string }
  | { readonly type: 'await-images' }
  | {
      readonly type: 'report-missing-image';
      readonly container: string;
      readonly reason: ImageProblem;
      readonly message: string;
    }
  /** Make the record, bring the pod to Running. */
  | { readonly type: 'prepare' }
  /** The pod runs; its VMI is not handed over yet. */
  | { readonly type: 'up' }
  | { readonly type: 'start' }
  /** Pod and VMI are to say that the guest runs. */
  | { readonly type: 'running' }
  | { readonly type: 'shut-down' }
  | { readonly type: 'destroy' }
  | { readonly type: 'conclude'; readonly outcome: Outcome }
  /** Pod and VMI are to show the outcome; the hypervisor is to forget the guest. */
  | { readonly type: 'report-end' }
  | { readonly type: 'remove-pod' };

export function decide(situation: Situation): Decision {
  const { pod, record } = situation;
  const deleting = pod.metadata.deletionTimestamp !== undefined;
  if (record === undefined) return withoutRecord(situation, deleting);
  if (record.outcome !== undefined) {
    if (record.reported !== true) return { type: 'report-end' };
    return { type: deleting ? 'remove-pod' : 'wait' };
  }
  if (isTemporary(pod)) return { type: 'conclude', outcome: succeeded('temporary pod') };
  return record.start === undefined
    ? beforeStart(situation, record, deleting)
    : afterStart(situation, record, record.start, deleting);
}

function withoutRecord({ pod, images, claims }: Situation, deleting: boolean): Decision {
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') return { type: deleting ? 'remove-pod' : 'wait' };
  // The agent's data is gone, and the guest with it. A record is made again to say so.
  if (phase === 'Running') return { type: 'prepare' };
  if (deleting) return { type: 'remove-pod' };
  if (claims.type === 'unusable') return { type: 'await-claims', problem: claims.message };
  if (claims.type === 'waiting') return { type: 'await-claims' };
  switch (images.type) {
    case 'ready':
      return { type: 'prepare' };
    case 'pulling':
      return { type: 'await-images' };
    case 'failed':
      return { ...images, type: 'report-missing-image' };
  }
}

function beforeStart({ vmi, nodeName, guest }: Situation, record: GuestRecord, deleting: boolean): Decision {
  if (deleting)
    return { type: 'conclude', outcome: failed('GuestNotStarted', 'the pod was deleted before its guest started') };
  const handedOver = vmi?.status?.nodeName === nodeName;
  if (!handedOver || isFinal(vmi)) return { type: 'up' };
  if (vmi.metadata.deletionTimestamp !== undefined) {
    return { type: 'conclude', outcome: failed('GuestNotStarted', 'the VMI was deleted before its guest started') };
  }
  // The guest of an earlier pod of this VMI's name may not be gone yet.
  if (vmi.status?.phase === 'Scheduled') return { type: guest === undefined ? 'start' : 'up' };
  if (vmi.status?.phase !== 'Running') return { type: 'up' };
  return {
    type: 'conclude',
    outcome: failed('GuestLost', `guest ${record.domain} is lost: the node has no trace of it`),
  };
}

function afterStart(
  { pod, vmi, guest, nowMs }: Situation,
  record: GuestRecord,
  start: StartedRecord,
  deleting: boolean,
): Decision {
  const ordered = record.shutdownOrderedAtMs;
  const interrupted = start.machineType === undefined;
  switch (guest?.type) {
    case undefined:
      if (interrupted && !deleting) return { type: 'start' };
      return { type: 'conclude', outcome: failed('GuestLost', 'the guest has vanished from the hypervisor') };
    case 'off':
      // Defined but never started: the agent was interrupted in between.
      if (interrupted && guest.reason === 'unknown' && !deleting) return { type: 'start' };
      return { type: 'conclude', outcome: endOf(guest.reason, ordered !== undefined) };
    case 'crashed':
      return { type: 'conclude', outcome: failed('GuestPanicked', "the guest's operating system panicked") };
    case 'running':
    case 'paused': {
      const unwanted = deleting || vmi?.metadata.deletionTimestamp !== undefined || (vmi && isFinal(vmi)) === true;
      if (!unwanted) return { type: 'running' };
      const deadlineMs = deadline(pod, start, ordered ?? nowMs);
      return { type: nowMs >= deadlineMs ? 'destroy' : 'shut-down' };
    }
  }
}

/** The VMI's grace period, counted from the order; never later than the pod's own, which ends at its deletionTimestamp. */
function deadline(pod: Pod, start: StartedRecord, orderedAtMs: number): number {
  const ofGuest = orderedAtMs + start.graceSeconds * 1000;
  const ofPod = pod.metadata.deletionTimestamp;
  return ofPod === undefined ? ofGuest : Math.min(ofGuest, Date.parse(ofPod));
}

function endOf(reason: (GuestState & { type: 'off' })['reason'], ordered: boolean): Outcome {
  switch (reason) {
    case 'shutdown':
      return succeeded('the guest powered off');
    case 'destroyed':
      return ordered
        ? succeeded('the guest was ended when its time was over')
        : failed('GuestKilled', 'the guest was killed');
    case 'crashed':
      return failed('GuestCrashed', "the guest's process ended unexpectedly");
    case 'failed':
      return failed('GuestNotStarted', 'the guest failed to start');
    case 'unknown':
      return failed('GuestLost', 'the guest was lost with its host');
  }
}
