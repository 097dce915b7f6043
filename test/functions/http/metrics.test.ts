import { expect, test } from 'vitest';
import { emfMetrics, emfRefusals } from '../../../functions/http/metrics.ts';

test('one line from which CloudWatch makes metrics: every metric named has its value', () => {
  const lines: string[] = [];
  emfMetrics('rows', (line) => lines.push(line))({
    controller: 'vm',
    durationMs: 12,
    outcomes: { done: 3, retry: 1, left: 2 },
    rowWrites: 2,
  });
  expect(lines).toHaveLength(1);
  const record = JSON.parse(lines[0] ?? '') as {
    _aws: { CloudWatchMetrics: { Dimensions: string[][]; Metrics: { Name: string }[] }[] };
  } & Record<string, unknown>;
  const [directive] = record._aws.CloudWatchMetrics;
  expect(directive?.Metrics.map(({ Name }) => typeof record[Name])).toEqual(Array(6).fill('number'));
  expect(directive?.Dimensions).toEqual([['Table'], ['Table', 'Controller']]);
  expect(record).toMatchObject({
    Table: 'rows',
    Controller: 'vm',
    Keys: 6,
    Retries: 1,
    Left: 2,
    Busy: 0,
    RowWrites: 2,
    DurationMs: 12,
  });
});

test('a request with a bad signature is counted as one, other refusals only as such', () => {
  const lines: string[] = [];
  const refused = emfRefusals('rows', 'lease', (line) => lines.push(line));
  refused('bad-signature');
  refused('malformed');
  expect(lines.map((line) => (JSON.parse(line) as { BadSignatures: number }).BadSignatures)).toEqual([1, 0]);
});
