import { describe, expect, test } from 'vitest';
import type { Action } from '../../../functions/core/action.ts';
import type { Context } from '../../../functions/core/context.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Outcome } from '../../../functions/core/outcome.ts';
import { goOn } from '../../../functions/http/go-on.ts';
import type { CheckedSnapshot } from '../../../functions/http/snapshot.ts';

const primary = (labels: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', labels },
});
const snapshot: CheckedSnapshot = { key: 'a', primary: primary({}), reads: {} };
const context = { results: [{ id: 'x', status: 'not-attempted' }] } as unknown as Context;
const update = (labels: Record<string, string>, id = 'first'): Action => ({
  id,
  verb: 'update',
  object: primary(labels),
});

function run(...outcomes: Outcome[]) {
  const seen: { labels: unknown; results: number }[] = [];
  const outcome = goOn(snapshot, context, (s, c) => {
    seen.push({ labels: s.primary?.metadata.labels, results: c.results.length });
    const next = outcomes[seen.length - 1];
    if (next === undefined) throw new Error('asked once too often');
    return next;
  });
  return { outcome, seen };
}

describe('an outcome that goes on', () => {
  test('is followed at once by the next pass, on the primary as written and without old results', () => {
    const second: Outcome = { type: 'retry', reason: 'r', actions: [update({ done: '2' }, 'second')] };
    const { outcome, seen } = run({ type: 'done', goesOn: true, actions: [update({ done: '1' })] }, second);
    expect(seen).toEqual([
      { labels: {}, results: 1 },
      { labels: { done: '1' }, results: 0 },
    ]);
    expect(outcome).toEqual({ ...second, actions: [update({ done: '1' }), update({ done: '2' }, 'second')] });
  });

  test('goes on once only', () => {
    const again: Outcome = { type: 'done', goesOn: true, actions: [update({ done: '2' }, 'second')] };
    expect(run({ type: 'done', goesOn: true, actions: [update({ done: '1' })] }, again).seen).toHaveLength(2);
  });

  test('leaves what the next pass needs to a pass of its own', () => {
    const first: Outcome = { type: 'done', goesOn: true, actions: [update({ done: '1' })] };
    expect(run(first, { type: 'needs', needs: {}, actions: [] }).outcome).toBe(first);
  });
});

test.each<[string, Outcome]>([
  ['one that does not say so', { type: 'done', actions: [update({})] }],
  ['one without a write', { type: 'done', goesOn: true, actions: [] }],
  ['one with more than the write', { type: 'done', goesOn: true, actions: [update({}), update({}, 'more')] }],
  ['a failure', { type: 'retry', reason: 'r', actions: [update({})] }],
])('%s stands alone', (_name, first) => {
  const { outcome, seen } = run(first);
  expect(outcome).toBe(first);
  expect(seen).toHaveLength(1);
});
