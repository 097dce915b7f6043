import { afterAll, beforeAll, expect, test } from 'vitest';
import { admitToSlot, releaseSlot } from '../../../functions/store/slots-row.ts';
import { type LocalTable, startLocalTable, writesOf } from '../support/local-table.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

const uids = ['a', 'b', 'c', 'd', 'e', 'f'];

function ask(cluster: string, uid: string, perCluster = 2) {
  return admitToSlot(table, cluster, {
    uid,
    need: { node: uid, running: [], unfinished: uids, limits: { perCluster, perNode: 5 } },
    snapshot: { token: 1, listedToken: 1, atMs: 1000 },
  });
}

test('of those who ask at once, as many get a slot as there are', async () => {
  const grants = await Promise.all(uids.map((uid) => ask('race', uid)));
  expect(grants.filter((g) => g.type === 'admitted')).toHaveLength(2);
  expect(grants.filter((g) => g.type === 'full')).toHaveLength(4);
});

test('a slot that is given back is the next one’s; who is refused writes nothing', async () => {
  await ask('one', 'a', 1);
  table.calls.length = 0;
  expect(await ask('one', 'b', 1)).toEqual({ type: 'full', limit: 'perCluster' });
  expect(writesOf(table.calls)).toEqual([]);
  await releaseSlot(table, 'one', 'b');
  expect(await ask('one', 'b', 1)).toMatchObject({ type: 'full' });
  await releaseSlot(table, 'one', 'a');
  expect(await ask('one', 'b', 1)).toEqual({ type: 'admitted' });
  expect(await ask('one', 'b', 1)).toEqual({ type: 'admitted' });
});

test('clusters have slots of their own', async () => {
  await ask('left', 'a', 1);
  expect(await ask('right', 'b', 1)).toEqual({ type: 'admitted' });
});
