import type { Ports } from '../../../../events/relay/ports.ts';

/** The real clock and timers, so many times as fast, for real sockets under long time limits. Nothing is logged. */
export function fastPorts(speed: number): Ports {
  const silent = () => undefined;
  return {
    clock: { now: () => performance.now() * speed, monotonic: () => performance.now() * speed },
    timers: {
      after(ms, run) {
        const timer = setTimeout(run, Math.max(0, ms / speed));
        return () => clearTimeout(timer);
      },
    },
    random: { next: () => 0.5, uuid: () => 'id' },
    log: { debug: silent, info: silent, warn: silent, error: silent },
  };
}
