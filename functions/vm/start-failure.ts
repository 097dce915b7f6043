import type { V1VirtualMachineStartFailure } from '@kubevirt-ui-ext/kubevirt-api/kubevirt';
import { timestamp } from '../core/context.ts';
import { sha256Hex } from '../core/digest.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../core/objects.ts';
import { isFinal, wasEverRunning } from './instance-state.ts';
import type { EffectiveRunStrategy } from './run-strategy/effective.ts';

const MAX_SECONDS = 300;
const STEPS = 30;
const INTERVAL_SECONDS = Math.max(10, MAX_SECONDS / STEPS);

/** Strategies whose failed starts are counted. */
const COUNTED = new Set(['Always', 'RerunOnFailure', 'Once']);

export function countsStartFailures(strategy: EffectiveRunStrategy): boolean {
  return strategy.type === 'invalid' || COUNTED.has(strategy.name);
}

/**
 * `status.startFailure` after this pass (vm.md 12.6): a VMI that ended without ever running counts once, one that ran clears
 * the count.
 */
export function nextStartFailure(
  vm: VirtualMachine,
  instance: VirtualMachineInstance | undefined,
  strategy: EffectiveRunStrategy,
  nowMs: number,
): V1VirtualMachineStartFailure | undefined {
  const old = vm.status?.startFailure;
  if (!countsStartFailures(strategy)) return undefined;
  if (instance === undefined) return old;
  if (wasEverRunning(instance)) return undefined;
  const { uid = '' } = instance.metadata;
  if (!isFinal(instance) || old?.lastFailedVMIUID === uid) return old;

  const consecutiveFailCount = (old?.consecutiveFailCount ?? 0) + 1;
  const delayMs = startDelaySeconds(consecutiveFailCount, uid) * 1000;
  return { consecutiveFailCount, lastFailedVMIUID: uid, retryAfterTimestamp: timestamp(nowMs + delayMs) };
}

/**
 * How long the next start waits after that many failures: 10 s times the square of the count, and up to half of it more; at
 * most 300 s. What is drawn depends on the seed alone.
 */
export function startDelaySeconds(failures: number, seed: string): number {
  const n = Math.max(1, failures);
  const base = INTERVAL_SECONDS * n * n;
  const drawn = Number.parseInt(sha256Hex(JSON.stringify([seed, n])).slice(0, 12), 16);
  return Math.min(MAX_SECONDS, base + (drawn % (Math.floor(base / 2) + 1)));
}

/** Seconds until the VM may be started again. */
export function startDelayLeftSeconds(vm: VirtualMachine, nowMs: number): number {
  const until = vm.status?.startFailure?.retryAfterTimestamp;
  if (until === undefined || until === null) return 0;
  return Math.max(0, Math.floor(Date.parse(until) / 1000) - Math.floor(nowMs / 1000));
}
