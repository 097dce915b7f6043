// Only one active controller: it cannot scale out (kubevirt issue 9565).
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ReconcileItem } from '../../events/envelope/envelope.ts';
import { acquireLease } from '../../functions/store/lease.ts';
import { readKeyStates } from '../../functions/store/read-key-states.ts';
import { type LocalTable, startLocalTable } from '../functions/support/local-table.ts';
import { widgetBatch, widgetItem } from '../functions/support/widget.ts';
import { takeLease, type WidgetService, widgetService } from '../functions/support/widget-service.ts';

const CLUSTER = 'cluster-uid';
let table: LocalTable;
let token: number;
beforeAll(async () => {
  table = await startLocalTable();
  token = await takeLease(table, Date.now());
});
afterEach(() => {
  table.intercept = undefined;
});
afterAll(() => table.stop());

/** N instances of one function over the same table. */
const instances = (n: number): WidgetService[] => Array.from({ length: n }, () => widgetService(table));
const batchOf = (...items: ReconcileItem[]) => widgetBatch(items, { token, listedToken: token });
const passesOf = async (name: string): Promise<number> => {
  const { states } = await readKeyStates(table, CLUSTER, 'widget', [`default/${name}`]);
  return (states.get(`default/${name}`)?.state as { passes: number } | undefined)?.passes ?? 0;
};

describe.each([2, 4, 8])('%i instances are given the same keys', (n) => {
  test('of passes over one key that overlap only one counts: no write is lost, none is made twice', async () => {
    const names = [`x${n}`, `y${n}`, `z${n}`];
    const functions = instances(n);
    const done = new Map<string, number>();
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        functions.map((f) => f.deliver(batchOf(...names.map((name) => widgetItem(name, 'count'))))),
      );
      for (const { key, outcome } of answers.flatMap((a) => a.items)) {
        expect(['done', 'busy']).toContain(outcome.type);
        if (outcome.type === 'done') done.set(key, (done.get(key) ?? 0) + 1);
      }
    }
    for (const name of names) {
      expect(await passesOf(name)).toBe(done.get(`default/${name}`));
      // Somebody gets through in every round.
      expect(done.get(`default/${name}`)).toBeGreaterThanOrEqual(10);
    }
  });

  test('one of them is told to make the child, whoever comes first', async () => {
    const answers = await Promise.all(instances(n).map((f) => f.deliver(batchOf(widgetItem(`child${n}`, 'make')))));
    const actions = answers.flatMap((a) => a.items.flatMap((i) => i.actions));
    const names = actions.map((a) => (a.verb === 'create' ? a.object.metadata.name : a.verb));
    expect(names.length).toBeGreaterThanOrEqual(1);
    // One that came after the first had written may be told again what is under way: under the same name.
    expect(new Set(names).size).toBe(1);
  });
});

test('two relays: never both hold the token, and of the first nothing is taken once the second has it', async () => {
  const cluster = 'two-relays';
  const claim = (holder: string, nowMs: number) => acquireLease(table, { cluster, holder, durationMs: 15_000, nowMs });
  const functions = instances(2);
  let now = functions[0]?.nowMs ?? 0;
  let previous = 0;
  for (let round = 0; round < 5; round++) {
    const asked = await Promise.all(['a', 'b'].map((relay) => claim(`${relay}${round}`, now)));
    const granted = asked.flatMap((r) => (r.type === 'granted' ? [r.lease.token] : []));
    expect(granted).toHaveLength(1);
    const [current = 0] = granted;
    expect(current).toBe(previous + 1);
    const deliver = (f: WidgetService | undefined, held: number) => {
      const batch = widgetBatch([widgetItem('fenced', 'count')], { cluster, token: held, listedToken: held });
      return f?.deliver(batch).then(
        (a) => a.items[0]?.outcome.type,
        () => 'refused',
      );
    };
    const outcomes = await Promise.all([deliver(functions[0], previous), deliver(functions[1], current)]);
    expect(outcomes).toEqual(['refused', 'done']);
    previous = current;
    now += 60_000;
  }
});

test('eight instances work at the same time, each of which serves one request at a time', async () => {
  const { promise: allAreThere, resolve } = Promise.withResolvers<void>();
  let there = 0;
  // Nobody's call of the table goes on before eight are under way: were they one after the other, that would never be.
  table.intercept = async (_, proceed) => {
    there++;
    if (there === 8) resolve();
    await allAreThere;
    return proceed();
  };
  const answers = await Promise.all(instances(8).map((f, i) => f.deliver(batchOf(widgetItem(`load-${i}`, 'count')))));
  expect(answers.flatMap((a) => a.items.map(({ outcome }) => outcome.type))).toEqual(
    Array.from({ length: 8 }, () => 'done'),
  );
});
