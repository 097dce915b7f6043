export interface Measured {
  readonly value: number;
  readonly unit: 'Count' | 'Milliseconds';
}

export const METRICS_NAMESPACE = 'VirtFunctions';

/**
 * One line in embedded metric format, with its line end: CloudWatch makes metrics of such a line in a function's log.
 *
 * Every metric is kept twice: by the table alone, which alarms look at as they can't name what comes later (clusters, say), and
 * by the table and `by` together. The table's name is what tells deployments in one account apart.
 */
export function emfLine(
  table: string,
  by: Readonly<Record<string, string>>,
  metrics: Readonly<Record<string, Measured>>,
  nowMs: number,
): string {
  const Metrics = Object.entries(metrics).map(([Name, { unit }]) => ({ Name, Unit: unit }));
  const values = Object.fromEntries(Object.entries(metrics).map(([name, { value }]) => [name, value]));
  const Dimensions = [['Table'], ['Table', ...Object.keys(by)]];
  const CloudWatchMetrics = [{ Namespace: METRICS_NAMESPACE, Dimensions, Metrics }];
  return `${JSON.stringify({ _aws: { Timestamp: nowMs, CloudWatchMetrics }, Table: table, ...by, ...values })}\n`;
}
