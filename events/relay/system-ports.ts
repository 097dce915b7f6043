import { randomUUID } from 'node:crypto';
import type { Log, Ports } from './ports.ts';

/** The real clock, timers and randomness; log lines as JSON on stderr. */
export function systemPorts(): Ports {
  return {
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    timers: {
      after(ms, run) {
        const timer = setTimeout(run, Math.max(0, ms));
        return () => clearTimeout(timer);
      },
    },
    random: { next: () => Math.random(), uuid: () => randomUUID() },
    log: jsonLog(),
  };
}

function jsonLog(): Log {
  const write = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
  };
  return { info: write('info'), warn: write('warn'), error: write('error') };
}
