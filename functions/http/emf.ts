export interface Measured {
  readonly value: number;
  readonly unit: 'Count' | 'Milliseconds';
}

const NAMESPACE = 'VirtFunctions';

/**
 * One line in embedded metric format, with its line end: CloudWatch makes metrics of such a line in a function's log.
 * `dimensions` together make one set.
 */
export function emfLine(
  dimensions: Readonly<Record<string, string>>,
  metrics: Readonly<Record<string, Measured>>,
  nowMs: number,
): string {
  const Metrics = Object.entries(metrics).map(([Name, { unit }]) => ({ Name, Unit: unit }));
  const values = Object.fromEntries(Object.entries(metrics).map(([name, { value }]) => [name, value]));
  const CloudWatchMetrics = [{ Namespace: NAMESPACE, Dimensions: [Object.keys(dimensions)], Metrics }];
  return `${JSON.stringify({ _aws: { Timestamp: nowMs, CloudWatchMetrics }, ...dimensions, ...values })}\n`;
}
