import { randomUUID } from 'node:crypto';
import type { Log, Ports } from './ports.ts';

/** virt-controller's levels that the relay tells apart (runtime.md 8.5). */
const INFO_VERBOSITY = 2;
const DEBUG_VERBOSITY = 4;

/** The platform's timers take no longer time: they would run at once. A month early is no harm. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The real clock, timers and randomness; log lines as JSON on stderr, as many as `verbosity` says at the time. */
export function systemPorts(verbosity: () => number): Ports {
  return {
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    timers: {
      after(ms, run) {
        const timer = setTimeout(run, Math.min(LONGEST_TIMER_MS, Math.max(0, ms)));
        return () => clearTimeout(timer);
      },
    },
    random: { next: () => Math.random(), uuid: () => randomUUID() },
    log: jsonLog(verbosity),
  };
}

function jsonLog(verbosity: () => number): Log {
  const write = (level: string, least: number) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    if (verbosity() < least) return;
    process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
  };
  const always = Number.NEGATIVE_INFINITY;
  return {
    debug: write('debug', DEBUG_VERBOSITY),
    info: write('info', INFO_VERBOSITY),
    warn: write('warn', always),
    error: write('error', always),
  };
}
