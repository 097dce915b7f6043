import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../../functions/core/objects.ts';
import { type PodCourse, podStatus, says } from '../../../../infra/node/launcher/pod-status.ts';
import { launcherPod } from './objects.ts';

const EARLIER = Date.parse('2026-01-01T00:01:00Z');
const LATER = Date.parse('2026-01-01T00:02:00Z');
const running: PodCourse = { type: 'running', podIp: '10.244.0.2' };
const pod = launcherPod('vm', 'vmi-1');
const id = 'registry.example/disks/boot@sha256:0123';
const statusOf = (p: Pod, course: PodCourse, nowMs = EARLIER) =>
  podStatus(p, course, { volumeboot: id }, '192.0.2.1', nowMs);
/** What a strategic merge makes of it, as far as these tests look. */
const patched = (p: Pod, course: PodCourse, nowMs?: number): Pod => {
  const status = statusOf(p, course, nowMs);
  const own = new Set(status.conditions.map((c) => c.type));
  const foreign = (p.status?.conditions ?? []).filter((c) => !own.has(c.type));
  return { ...p, status: { ...p.status, ...status, conditions: [...foreign, ...status.conditions] } as Pod['status'] };
};
const condition = (p: Pod, type: string) => p.status?.conditions?.find((c) => c.type === type);

describe('status of a launcher pod', () => {
  test('an image that is not to be had shows on its container', () => {
    const { phase, initContainerStatuses } = statusOf(pod, {
      type: 'image-missing',
      container: 'volumeboot',
      reason: 'ErrImagePull',
      message: 'no such image',
    });
    expect(phase).toBe('Pending');
    expect(initContainerStatuses?.map((s) => [s.name, s.state])).toEqual([
      ['guest-console-log', { waiting: { reason: 'PodInitializing' } }],
      ['volumeboot', { waiting: { reason: 'ErrImagePull', message: 'no such image' } }],
    ]);
  });

  test('a running pod is ready; others’ conditions stay', () => {
    const now = patched(pod, running);
    expect(now.status).toMatchObject({ phase: 'Running', podIP: '10.244.0.2', hostIP: '192.0.2.1' });
    expect(now.status?.containerStatuses?.[0]).toMatchObject({ name: 'compute', ready: true });
    expect(now.status?.initContainerStatuses?.map((s) => Object.keys(s.state ?? {}))).toEqual([
      ['running'],
      ['terminated'],
    ]);
    expect(condition(now, 'Ready')?.status).toBe('True');
    expect(condition(now, 'kubevirt.io/virtual-machine-unpaused')?.reason).toBe('NotPaused');
  });

  test('an image’s digest shows once it is there', () => {
    const idsOf = (course: PodCourse) => statusOf(pod, course).initContainerStatuses?.map((s) => s.imageID);
    expect(idsOf({ type: 'creating' })).toEqual(['', '']);
    expect(idsOf(running)).toEqual(['registry.example/virt-launcher:v1', id]);
  });

  test('a closed readiness gate keeps the pod from being ready, its containers not', () => {
    const paused: Pod = {
      ...pod,
      status: { ...pod.status, conditions: [{ type: 'kubevirt.io/virtual-machine-unpaused', status: 'False' }] },
    };
    const now = patched(paused, running);
    expect(condition(now, 'Ready')).toMatchObject({ status: 'False', reason: 'ReadinessGatesNotReady' });
    expect(condition(now, 'ContainersReady')?.status).toBe('True');
  });

  test('the end shows in phase, exit code and message; times of the start are kept', () => {
    const before = patched(pod, running);
    const now = patched(
      before,
      { type: 'ended', outcome: { phase: 'Failed', reason: 'GuestKilled', message: 'killed' } },
      LATER,
    );
    expect(now.status).toMatchObject({ phase: 'Failed', startTime: '2026-01-01T00:01:00Z' });
    expect(now.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 1,
      message: 'killed',
      startedAt: '2026-01-01T00:01:00Z',
      finishedAt: '2026-01-01T00:02:00Z',
    });
    expect(condition(now, 'Ready')).toMatchObject({ status: 'False', reason: 'PodCompleted' });
  });

  test('what is said already is not said again', () => {
    expect(says(pod.status, statusOf(pod, running))).toBe(false);
    const now = patched(pod, running);
    expect(says(now.status, statusOf(now, running, LATER))).toBe(true);
    expect(says(now.status, statusOf(now, { type: 'creating' }, LATER))).toBe(false);
  });
});
