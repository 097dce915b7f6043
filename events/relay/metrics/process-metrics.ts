import { collectDefaultMetrics } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** What the process takes: `process_*` and `nodejs_*`, in the place of virt-controller's `process_*` and `go_*`. */
export function registerProcessMetrics(metrics: Metrics): void {
  // The finer default would wake an idle relay a hundred times a second.
  collectDefaultMetrics({ register: metrics.registry, eventLoopMonitoringPrecision: 100 });
}
