/** Every key is visited again now and then, whatever the relay believes to have seen (runtime.md 4.1). */
import type { Cancel, Random, Timers } from '../ports.ts';

const MIN_PERIOD_MS = 12 * 3_600_000;

/** Between 12 and 24 h; drawn once per process. */
export function drawVisitPeriod(random: Random): number {
  return MIN_PERIOD_MS * (1 + random.next());
}

/** Visits again and again after the period; returns how to stop. */
export function visitPeriodically(timers: Timers, periodMs: number, visitAll: () => void): Cancel {
  const again = (): Cancel =>
    timers.after(periodMs, () => {
      visitAll();
      cancel = again();
    });
  let cancel = again();
  return () => cancel();
}
