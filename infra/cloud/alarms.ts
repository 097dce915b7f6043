import { METRICS_NAMESPACE } from '../../functions/http/emf.ts';
import { type CloudFunction, SWEEP_EVERY_MINUTES } from './functions.ts';

/** One alarm. It rings after `periods` in a row. */
export interface CloudAlarm {
  /** Last part of its name, and its id in templates once in Pascal case. */
  readonly name: string;
  readonly description: string;
  readonly namespace: string;
  readonly metric: string;
  /** Of the table, by whatever name it gets, or of one function. */
  readonly of: 'table' | CloudFunction;
  readonly statistic: 'Maximum' | 'Sum';
  readonly periodSeconds: number;
  readonly periods: number;
  /** It rings at this value and above. */
  readonly threshold: number;
  readonly whenMissing: 'breaching' | 'notBreaching';
}

const OVERDUE_LIMIT_MS = 15 * 60_000;
const common = { periods: 1, periodSeconds: SWEEP_EVERY_MINUTES * 60, whenMissing: 'notBreaching' } as const;

export function cloudAlarms(functions: readonly CloudFunction[]): readonly CloudAlarm[] {
  const ofTable = { ...common, namespace: METRICS_NAMESPACE, of: 'table' } as const;
  return [
    {
      ...ofTable,
      name: 'no-lease',
      description: 'No relay of some cluster holds its lease, or the sweep that would see it does not run.',
      metric: 'NoHolder',
      statistic: 'Maximum',
      // One sweep may fall into a change of leaders.
      periods: 2,
      threshold: 1,
      whenMissing: 'breaching',
    },
    {
      ...ofTable,
      name: 'overdue',
      description: 'Some key should have been visited a quarter of an hour ago.',
      metric: 'OldestOverdueMs',
      statistic: 'Maximum',
      threshold: OVERDUE_LIMIT_MS,
    },
    {
      ...ofTable,
      name: 'bad-signatures',
      description: 'Requests that were not signed with a known key: a relay with an old key, or a stranger.',
      metric: 'BadSignatures',
      statistic: 'Sum',
      threshold: 1,
    },
    ...functions.flatMap((fn): CloudAlarm[] => [
      {
        ...common,
        namespace: 'AWS/Lambda',
        of: fn,
        name: `${fn.name}-errors`,
        description: `Calls of ${fn.functionName} that ended in an error.`,
        metric: 'Errors',
        statistic: 'Sum',
        threshold: 1,
      },
      {
        ...common,
        namespace: 'AWS/Lambda',
        of: fn,
        name: `${fn.name}-throttles`,
        description: `Calls of ${fn.functionName} that were not let in: its concurrency is used up.`,
        metric: 'Throttles',
        statistic: 'Sum',
        threshold: 1,
      },
    ]),
  ];
}
