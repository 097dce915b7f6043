import type { GuestState } from '../hypervisor.ts';

/** virDomainState. */
const RUNNING_STATES = new Set([1, 2, 4, 7]);
const PAUSED = 3;
const CRASHED = 6;

/** virDomainShutoffReason, as far as it can occur here; others count as unknown. */
const OFF_REASONS = { 1: 'shutdown', 2: 'destroyed', 3: 'crashed', 6: 'failed' } as const;

/** Reads `virsh domstats --state`: one block for each domain, with the numbers of its state and the reason of that. */
export function parseDomstats(text: string): ReadonlyMap<string, GuestState> {
  const states = new Map<string, GuestState>();
  for (const block of text.split(/^Domain: /m).slice(1)) {
    const name = /^'(.*)'$/m.exec(block)?.[1];
    const state = /state\.state=(\d+)/.exec(block)?.[1];
    if (name === undefined || state === undefined) continue;
    states.set(name, guestState(Number(state), Number(/state\.reason=(\d+)/.exec(block)?.[1] ?? 0)));
  }
  return states;
}

function guestState(state: number, reason: number): GuestState {
  if (RUNNING_STATES.has(state)) return { type: 'running' };
  if (state === PAUSED) return { type: 'paused' };
  if (state === CRASHED) return { type: 'crashed' };
  return { type: 'off', reason: OFF_REASONS[reason as keyof typeof OFF_REASONS] ?? 'unknown' };
}
