import type { AnswerOutcome } from '../../events/envelope/envelope.ts';
import { emfLine } from './emf.ts';

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

/** Writes one line per batch, in the format that CloudWatch makes metrics of. */
export function emfMetrics(write: (line: string) => void): MetricsSink {
  const count = (value: number | undefined) => ({ value: value ?? 0, unit: 'Count' }) as const;
  return ({ controller, durationMs, outcomes, rowWrites }) =>
    write(
      emfLine(
        { Controller: controller },
        {
          DurationMs: { value: durationMs, unit: 'Milliseconds' },
          Keys: count(Object.values(outcomes).reduce((sum, n) => sum + n, 0)),
          RowWrites: count(rowWrites),
          Retries: count(outcomes.retry),
          Busy: count(outcomes.busy),
          Left: count(outcomes.left),
        },
        Date.now(),
      ),
    );
}
