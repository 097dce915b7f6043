import { describe, expect, test } from 'vitest';
import type { Pod, VirtualMachineInstance } from '../../../../functions/core/objects.ts';
import { decide, type Situation } from '../../../../infra/node/launcher/decision.ts';
import type { GuestRecord } from '../../../../infra/node/launcher/guest-record.ts';
import { newRecord } from '../../../../infra/node/launcher/launcher-pod.ts';
import { launcherPod, scheduledVmi } from './objects.ts';

const NOW = Date.parse('2026-01-01T00:01:00Z');
const pod = launcherPod('vm', 'vmi-1');
const vmi = scheduledVmi('vm', 'vmi-1');
const record = newRecord(pod, '10.244.0.2', { images: {}, claims: {} });
const started: GuestRecord = {
  ...record,
  start: { graceSeconds: 5, interfaces: [], migratable: true, machineType: 'pc-q35-7.2' },
};
const interrupted: GuestRecord = { ...record, start: { graceSeconds: 5, interfaces: [], migratable: true } };
const running = { type: 'running' } as const;

const deleted = (p: Pod, deletionTimestamp = '2026-01-01T00:01:30Z'): Pod => ({
  ...p,
  metadata: { ...p.metadata, deletionTimestamp },
});
const inPhase = (phase: string): VirtualMachineInstance => ({
  ...vmi,
  status: { ...vmi.status, phase } as VirtualMachineInstance['status'],
});
const withPhase = (phase: string): Pod => ({ ...pod, status: { ...pod.status, phase } as Pod['status'] });
const decision = (parts: Partial<Situation>) => {
  const found = decide({
    nodeName: 'node-a',
    pod,
    record: undefined,
    vmi: undefined,
    guest: undefined,
    images: { type: 'ready' },
    claims: { type: 'ready' },
    nowMs: NOW,
    ...parts,
  });
  return found.type === 'conclude' ? `${found.type} ${found.outcome.phase}` : found.type;
};

describe('before a guest', () => {
  const images = { type: 'failed', container: 'volumeboot', reason: 'ErrImagePull', message: 'none' } as const;
  test.each<[string, Partial<Situation>, string]>([
    ['a new pod', {}, 'prepare'],
    ['a claim on its way', { claims: { type: 'waiting' }, images }, 'await-claims'],
    ['a claim that is not to be had', { claims: { type: 'unusable', message: 'none' }, images }, 'await-claims'],
    ['an image that is not there', { images }, 'report-missing-image'],
    ['an image on its way', { images: { type: 'pulling' } }, 'await-images'],
    ['a new pod, deleted', { pod: deleted(pod) }, 'remove-pod'],
    ['an ended pod of an earlier life', { pod: withPhase('Failed') }, 'wait'],
    ['the same, deleted', { pod: deleted(withPhase('Succeeded')) }, 'remove-pod'],
    ['no VMI yet', { record }, 'up'],
    ['a VMI that is not handed over', { record, vmi: inPhase('Scheduling') }, 'up'],
    ['a VMI handed over', { record, vmi }, 'start'],
    ['a VMI handed over, the earlier guest still there', { record, vmi, guest: running }, 'up'],
    ['a VMI on another node', { record, vmi: { ...vmi, status: { ...vmi.status, nodeName: 'node-b' } } }, 'up'],
    ['a VMI failed by others', { record, vmi: inPhase('Failed') }, 'up'],
    ['a running VMI without a trace of its guest', { record, vmi: inPhase('Running') }, 'conclude Failed'],
    ['a pod deleted before the start', { record, pod: deleted(pod), vmi }, 'conclude Failed'],
    [
      'a VMI deleted before the start',
      { record, vmi: { ...vmi, metadata: { ...vmi.metadata, deletionTimestamp: '2026-01-01T00:00:50Z' } } },
      'conclude Failed',
    ],
  ])('%s', (_name, parts, expected) => {
    expect(decision(parts)).toBe(expected);
  });
});

describe('with a guest', () => {
  const off = (reason: 'shutdown' | 'destroyed' | 'crashed' | 'failed' | 'unknown') =>
    ({ type: 'off', reason }) as const;
  const ordered = { ...started, shutdownOrderedAtMs: NOW - 1000 };
  test.each<[string, Partial<Situation>, string]>([
    ['it runs', { record: started, guest: running, vmi }, 'running'],
    ['it runs and its VMI has vanished', { record: started, guest: running }, 'running'],
    ['it is paused', { record: started, guest: { type: 'paused' } }, 'running'],
    ['it powered off', { record: started, guest: off('shutdown') }, 'conclude Succeeded'],
    ['it was killed through the hypervisor', { record: started, guest: off('destroyed') }, 'conclude Failed'],
    ['it was ended by our order', { record: ordered, guest: off('destroyed') }, 'conclude Succeeded'],
    ['its process was killed', { record: started, guest: off('crashed') }, 'conclude Failed'],
    ['it was lost with its host', { record: started, guest: off('unknown') }, 'conclude Failed'],
    ['it panicked', { record: started, guest: { type: 'crashed' } }, 'conclude Failed'],
    ['it has vanished', { record: started }, 'conclude Failed'],
    ['the agent was interrupted before the start', { record: interrupted, vmi }, 'start'],
    ['the agent was interrupted between define and start', { record: interrupted, guest: off('unknown') }, 'start'],
    ['the agent was interrupted after the start', { record: interrupted, guest: running }, 'running'],
  ])('%s', (_name, parts, expected) => {
    expect(decision(parts)).toBe(expected);
  });

  const deletedVmi = { ...vmi, metadata: { ...vmi.metadata, deletionTimestamp: '2026-01-01T00:01:00Z' } };
  const late = { ...started, shutdownOrderedAtMs: NOW - 5000 };
  const noGrace = {
    ...started,
    start: { ...interrupted.start, graceSeconds: 0, interfaces: [], migratable: true, machineType: 'q35' },
  };
  test.each<[string, Partial<Situation>, string]>([
    ['pod deleted', { record: started, pod: deleted(pod) }, 'shut-down'],
    ['VMI deleted', { record: started, vmi: deletedVmi }, 'shut-down'],
    ['VMI made final by others', { record: started, vmi: inPhase('Failed') }, 'shut-down'],
    ['grace period not over', { record: ordered, pod: deleted(pod) }, 'shut-down'],
    ['grace period over', { record: late, pod: deleted(pod) }, 'destroy'],
    ['no grace period', { record: noGrace, vmi: deletedVmi }, 'destroy'],
    ['the pod’s time is over first', { record: ordered, pod: deleted(pod, '2026-01-01T00:00:59Z') }, 'destroy'],
  ])('unwanted: %s', (_name, parts, expected) => {
    expect(decision({ guest: running, ...parts })).toBe(expected);
  });
});

describe('after the end', () => {
  const ended: GuestRecord = { ...started, outcome: { phase: 'Succeeded', message: '' } };
  test.each<[string, Partial<Situation>, string]>([
    ['to be reported', { record: ended }, 'report-end'],
    ['also when the pod is deleted', { record: ended, pod: deleted(pod) }, 'report-end'],
    ['reported', { record: { ...ended, reported: true } }, 'wait'],
    ['reported and deleted', { record: { ...ended, reported: true }, pod: deleted(pod) }, 'remove-pod'],
  ])('%s', (_name, parts, expected) => {
    expect(decision(parts)).toBe(expected);
  });
});

test('a temporary pod runs and succeeds without a guest', () => {
  const temporary = {
    ...pod,
    metadata: { ...pod.metadata, annotations: { 'kubevirt.io/ephemeral-provisioning': 'true' } },
  };
  expect(decision({ pod: temporary })).toBe('prepare');
  expect(decision({ pod: temporary, record })).toBe('conclude Succeeded');
});
