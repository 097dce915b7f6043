import type { AnswerOutcome } from '../../events/envelope/envelope.ts';

/** What is measured of one batch. */
export interface BatchMetrics {
  readonly controller: string;
  readonly durationMs: number;
  /** How many keys had each outcome. */
  readonly outcomes: Readonly<Partial<Record<AnswerOutcome['type'], number>>>;
  /** Rows written or removed. */
  readonly rowWrites: number;
}

export type MetricsSink = (metrics: BatchMetrics) => void;

const NAMESPACE = 'VirtFunctions';

/**
 * Embedded metric format: CloudWatch makes metrics of such a line in a function's log. `write` gets it with its line end.
 */
export function emfMetrics(write: (line: string) => void): MetricsSink {
  return (metrics) => {
    const values = {
      DurationMs: metrics.durationMs,
      Keys: Object.values(metrics.outcomes).reduce((sum, n) => sum + n, 0),
      RowWrites: metrics.rowWrites,
      Retries: metrics.outcomes.retry ?? 0,
      Busy: metrics.outcomes.busy ?? 0,
      Left: metrics.outcomes.left ?? 0,
    };
    const Metrics = Object.keys(values).map((Name) => ({
      Name,
      Unit: Name === 'DurationMs' ? 'Milliseconds' : 'Count',
    }));
    const _aws = {
      Timestamp: Date.now(),
      CloudWatchMetrics: [{ Namespace: NAMESPACE, Dimensions: [['Controller']], Metrics }],
    };
    write(`${JSON.stringify({ _aws, Controller: metrics.controller, ...values })}\n`);
  };
}
