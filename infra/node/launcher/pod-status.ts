import type { Condition, Pod } from '../../../functions/core/objects.ts';
import type { ImageProblem } from '../images/pod-images.ts';
import { timestamp } from '../node/time.ts';
import type { Outcome } from './outcome.ts';

/** Where a launcher pod stands, as the kubelet sees it. */
export type PodCourse =
  | {
      readonly type: 'image-missing';
      readonly container: string;
      readonly reason: ImageProblem;
      readonly message: string;
    }
  | { readonly type: 'creating' }
  /** Without an address where nobody asks for one. */
  | { readonly type: 'running'; readonly podIp?: string }
  | { readonly type: 'ended'; readonly outcome: Outcome };

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];
type ContainerState = NonNullable<ContainerStatus['state']>;
interface Container {
  readonly name: string;
  readonly image?: string;
  readonly restartPolicy?: string;
}

type WrittenCondition = Omit<Condition, 'reason'> & { readonly reason: string | null };

const PHASES = { 'image-missing': 'Pending', creating: 'Pending', running: 'Running' } as const;

/** `<name>@<digest>` by container. */
export type ImageIds = Readonly<Record<string, string>>;

/**
 * The status to be merged (strategically) into the pod's: phase, addresses, container statuses, and the kubelet's conditions.
 * Times of what has not changed are kept. Conditions of others, QoS class and the rest are not in it.
 */
export function podStatus(pod: Pod, course: PodCourse, imageIds: ImageIds, hostIp: string, nowMs: number) {
  const now = timestamp(nowMs);
  const mainStatuses = pod.spec.containers.map((c) =>
    containerStatus(c, course, imageIds, pod.status?.containerStatuses, now),
  );
  const initStatuses = (pod.spec.initContainers ?? []).map((c) =>
    isSidecar(c)
      ? containerStatus(c, course, imageIds, pod.status?.initContainerStatuses, now)
      : initStatus(c, course, imageIds, pod.status?.initContainerStatuses, now),
  );
  const podIp =
    course.type === 'running' && course.podIp !== undefined
      ? { podIP: course.podIp, podIPs: [{ ip: course.podIp }] }
      : {};
  return {
    phase: course.type === 'ended' ? course.outcome.phase : PHASES[course.type],
    ...(course.type === 'ended' && course.outcome.phase === 'Failed' ? { message: course.outcome.message } : {}),
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    ...podIp,
    startTime: pod.status?.startTime ?? now,
    conditions: conditions(pod, course, now),
    containerStatuses: mainStatuses,
    ...(initStatuses.length === 0 ? {} : { initContainerStatuses: initStatuses }),
  };
}

/** Whether the pod's status already says all that is wanted; null stands for absent. */
export function says(status: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(status)) return false;
    // Conditions of others stand among ours.
    return wanted.every((item, i) => status.some((have, j) => (isCondition(item) || i === j) && says(have, item)));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof status !== 'object' || status === null) return false;
    const have = status as Record<string, unknown>;
    return Object.entries(wanted).every(([key, value]) => value === undefined || says(have[key], value));
  }
  return wanted === null ? status === undefined || status === null : status === wanted;
}

/** An init container that goes on beside the others. */
function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

function containerStatus(
  container: Container,
  course: PodCourse,
  imageIds: ImageIds,
  before: readonly ContainerStatus[] | undefined,
  now: string,
): ContainerStatus {
  const was = before?.find((s) => s.name === container.name)?.state;
  const up = course.type === 'running';
  return status(container, imageIds, up, up, mainState(container, course, was, now));
}

function mainState(
  container: Container,
  course: PodCourse,
  was: ContainerState | undefined,
  now: string,
): ContainerState {
  switch (course.type) {
    case 'image-missing':
    case 'creating':
      return waiting(container, course);
    case 'running':
      return { running: { startedAt: was?.running?.startedAt ?? now } };
    case 'ended': {
      if (was?.terminated !== undefined) return { terminated: was.terminated };
      const ok = course.outcome.phase === 'Succeeded';
      return {
        terminated: {
          exitCode: ok ? 0 : 1,
          reason: ok ? 'Completed' : 'Error',
          ...(container.name === 'compute' ? { message: course.outcome.message } : {}),
          startedAt: was?.running?.startedAt ?? now,
          finishedAt: now,
        },
      };
    }
  }
}

function initStatus(
  container: Container,
  course: PodCourse,
  imageIds: ImageIds,
  before: readonly ContainerStatus[] | undefined,
  now: string,
): ContainerStatus {
  const was = before?.find((s) => s.name === container.name)?.state;
  if (course.type === 'image-missing' || course.type === 'creating') {
    return status(container, imageIds, false, false, waiting(container, course));
  }
  const done = { exitCode: 0, reason: 'Completed', startedAt: now, finishedAt: now };
  return status(container, imageIds, true, false, { terminated: was?.terminated ?? done });
}

function waiting(container: Container, course: PodCourse): ContainerState {
  if (course.type === 'image-missing' && course.container === container.name) {
    return { waiting: { reason: course.reason, message: course.message } };
  }
  return { waiting: { reason: course.type === 'creating' ? 'ContainerCreating' : 'PodInitializing' } };
}

function status(
  { name, image = '' }: Container,
  imageIds: ImageIds,
  ready: boolean,
  started: boolean,
  state: ContainerState,
): ContainerStatus {
  // Of virt-launcher's own image nothing is run here but what the agent stands for: it has no digest.
  const imageID = state.waiting === undefined ? (imageIds[name] ?? image) : '';
  return { name, image, imageID, ready, started, restartCount: 0, state };
}

function conditions(pod: Pod, course: PodCourse, now: string): readonly WrittenCondition[] {
  const initialized = course.type === 'running' || course.type === 'ended';
  const up = course.type === 'running';
  const notUp = course.type === 'ended' ? 'PodCompleted' : 'ContainersNotReady';
  const gatesOpen = (pod.spec.readinessGates ?? []).every((gate) =>
    pod.status?.conditions?.some((c) => c.type === gate.conditionType && c.status === 'True'),
  );
  const condition = (type: string, holds: boolean, reason: string): WrittenCondition => {
    const value = holds ? 'True' : 'False';
    const was = pod.status?.conditions?.find((c) => c.type === type && c.status === value);
    return {
      type,
      status: value,
      lastTransitionTime: was?.lastTransitionTime ?? now,
      // Null takes an old reason away when the patch is merged.
      reason: holds ? null : reason,
    };
  };
  return [
    condition('Initialized', initialized, 'ContainersNotInitialized'),
    condition('Ready', up && gatesOpen, up ? 'ReadinessGatesNotReady' : notUp),
    condition('ContainersReady', up, notUp),
  ];
}

function isCondition(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'type' in item && 'lastTransitionTime' in item;
}
