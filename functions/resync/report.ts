import { emfLine } from '../http/emf.ts';
import type { ScheduledRuntime } from '../http/scheduled-entry.ts';
import type { Finding } from './sweep.ts';

/**
 * Tells what a sweep found: a warning for whatever somebody should look at, and the metrics of which alarms are made
 * (`NoHolder`, `OldestOverdueMs`), per cluster and over all of them.
 */
export function report(
  { table, log, writeMetrics, clock }: Pick<ScheduledRuntime, 'table' | 'log' | 'writeMetrics' | 'clock'>,
  findings: readonly Finding[],
): void {
  for (const { cluster, lease, overdueKeys, oldestOverdueMs, asksForAll } of findings) {
    if (lease === 'unheld') log.warn('no relay holds the lease', { cluster });
    if (overdueKeys > 0) log.warn('keys are overdue', { cluster, overdueKeys, oldestOverdueMs });
    if (asksForAll) log.info('all keys are to be visited', { cluster });
    writeMetrics?.(
      emfLine(
        table.name,
        { Cluster: cluster },
        {
          NoHolder: { value: lease === 'unheld' ? 1 : 0, unit: 'Count' },
          OverdueKeys: { value: overdueKeys, unit: 'Count' },
          OldestOverdueMs: { value: oldestOverdueMs, unit: 'Milliseconds' },
        },
        clock(),
      ),
    );
  }
}
