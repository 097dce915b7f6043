import { describe, expect, test } from 'vitest';
import type { VirtualMachineInstance } from '../../../functions/core/objects.ts';
import { nextStartFailure, startDelaySeconds } from '../../../functions/vm/start-failure.ts';
import { templateSpec, World } from './world.ts';

const seeds = Array.from({ length: 200 }, (_, i) => `uid-${i}`);

describe('delay before the next start (vm.md 12.6)', () => {
  test.each([
    { failures: 0, least: 10, most: 15 },
    { failures: 1, least: 10, most: 15 },
    { failures: 2, least: 40, most: 60 },
    { failures: 3, least: 90, most: 135 },
    { failures: 4, least: 160, most: 240 },
    { failures: 5, least: 250, most: 300 },
    { failures: 6, least: 300, most: 300 },
    { failures: 50, least: 300, most: 300 },
  ])('after $failures failures: $least to $most s', ({ failures, least, most }) => {
    const delays = seeds.map((seed) => startDelaySeconds(failures, seed));
    expect(Math.min(...delays)).toBe(least);
    expect(Math.max(...delays)).toBe(most);
  });

  test('the same for the same seed', () => {
    expect(seeds.map((s) => startDelaySeconds(2, s))).toEqual(seeds.map((s) => startDelaySeconds(2, s)));
  });
});

test('vm case 28: another VMI fails early: the count rises', () => {
  const { vm } = World.withVm();
  const nowMs = Date.now();
  const strategy = { type: 'strategy', name: 'Always' } as const;
  const counted = (count: number, uid: string) =>
    nextStartFailure(
      { ...vm, status: { startFailure: { consecutiveFailCount: count, lastFailedVMIUID: 'old' } } },
      failed(uid),
      strategy,
      nowMs,
    );
  expect(counted(1, 'new')).toMatchObject({ consecutiveFailCount: 2, lastFailedVMIUID: 'new' });
  expect(secondsUntil(counted(1, 'new')?.retryAfterTimestamp, nowMs)).toBeGreaterThanOrEqual(39);
  expect(secondsUntil(counted(1, 'new')?.retryAfterTimestamp, nowMs)).toBeLessThanOrEqual(60);
  expect(Math.ceil(secondsUntil(counted(5, 'new')?.retryAfterTimestamp, nowMs))).toBe(300);
});

function failed(uid: string): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'testvm', uid },
    spec: templateSpec(),
    status: { phase: 'Failed' },
  };
}

function secondsUntil(time: string | undefined, nowMs: number): number {
  return (Date.parse(time ?? '') - nowMs) / 1000;
}
