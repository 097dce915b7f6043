import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersOf, dueKeys } from '../../../functions/store/due-index.ts';
import { acquireLease, releaseLease } from '../../../functions/store/lease.ts';
import { readKeyStates } from '../../../functions/store/read-key-states.ts';
import { putKeyState } from '../../../functions/store/write-key-state.ts';
import { type LocalTable, startLocalTable } from '../support/local-table.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

const writer = { token: 1, deliveryId: 'd' };

async function put(cluster: string, controller: string, key: string, dueAtMs?: number): Promise<void> {
  const read = (await readKeyStates(table, cluster, controller, [key]).catch(() => undefined))?.states.get(key);
  const due = dueAtMs === undefined ? {} : { dueAtMs };
  await putKeyState(
    table,
    { cluster, controller, key },
    read,
    { uid: 'u', expectations: [], failures: 1, ...due },
    writer,
  );
}

test('keys of one cluster, of all its controllers, those that wait longest first', async () => {
  await put('one', 'vm', 'ns/late', 900);
  await put('one', 'vmi', 'ns/later', 800);
  await put('one', 'vm', 'ns/future', 1001);
  await put('one', 'vm', 'ns/never');
  await put('two', 'vm', 'ns/other', 1);
  await acquireLease(table, { cluster: 'one', holder: 'h', durationMs: 15_000, nowMs: 1 });
  expect(await dueKeys(table, 'one', 1000, 10)).toEqual([
    { controller: 'vmi', key: 'ns/later', dueAtMs: 800 },
    { controller: 'vm', key: 'ns/late', dueAtMs: 900 },
  ]);
  expect(await dueKeys(table, 'one', 1000, 1)).toHaveLength(1);
  await put('one', 'vm', 'ns/late');
  expect((await dueKeys(table, 'one', 1000, 10)).map((d) => d.key)).toEqual(['ns/later']);
});

test('clusters are found as soon as a lease was acquired, and after it was released', async () => {
  await acquireLease(table, { cluster: 'x', holder: 'h', durationMs: 15_000, nowMs: 1 });
  await acquireLease(table, { cluster: 'y', holder: 'h', durationMs: 15_000, nowMs: 1 });
  await releaseLease(table, { cluster: 'y', holder: 'h', token: 1 });
  expect(await clustersOf(table)).toEqual(expect.arrayContaining(['x', 'y']));
});
