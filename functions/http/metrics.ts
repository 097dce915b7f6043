import type { AnswerOutcome } from '../../events/envelope/envelope.ts';
import type { Problem } from '../../events/envelope/problem.ts';
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
export function emfMetrics(table: string, write: (line: string) => void): MetricsSink {
  const count = (value: number | undefined) => ({ value: value ?? 0, unit: 'Count' }) as const;
  return ({ controller, durationMs, outcomes, rowWrites }) =>
    write(
      emfLine(
        table,
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

/** Is told of each request that was refused whole. */
export type RefusalSink = (problem: Problem['type']) => void;

/** Writes one line per refusal; `BadSignatures` is what an alarm is made of. */
export function emfRefusals(table: string, audience: string, write: (line: string) => void): RefusalSink {
  return (problem) =>
    write(
      emfLine(
        table,
        { Audience: audience, Problem: problem },
        {
          Refusals: { value: 1, unit: 'Count' },
          BadSignatures: { value: problem === 'bad-signature' ? 1 : 0, unit: 'Count' },
        },
        Date.now(),
      ),
    );
}
