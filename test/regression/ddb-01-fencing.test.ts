// A holder that paused writes over its successor (amazon-dynamodb-lock-client issues 1 and 62).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readKeyStates } from '../../functions/store/read-key-states.ts';
import { type LocalTable, startLocalTable } from '../functions/support/local-table.ts';
import { widgetBatch, widgetItem } from '../functions/support/widget.ts';
import { takeLease, widgetService } from '../functions/support/widget-service.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

/** Holds the first write until it is released. */
function holdFirstWrite(): { readonly held: Promise<void>; readonly release: () => void } {
  const held = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  table.intercept = async (command, proceed) => {
    if (command !== 'PutItemCommand') return proceed();
    table.intercept = undefined;
    held.resolve();
    await gate.promise;
    return proceed();
  };
  return { held: held.promise, release: gate.resolve };
}

test.each([
  ['to a key without a row', false],
  ['to a key with a row', true],
])('A pauses in its write %s, B takes over and writes: A writes nothing and hands out nothing', async (_, hasRow) => {
  const service = widgetService(table);
  const name = hasRow ? 'with' : 'without';
  const deliver = (token: number, script: string) =>
    service.deliver(widgetBatch([widgetItem(name, script)], { token, listedToken: token }), 60_000);
  service.nowMs += hasRow ? 600_000 : 0;
  const tokenA = await takeLease(table, service.nowMs, 'relay-a');
  if (hasRow) await deliver(tokenA, 'count');

  const write = holdFirstWrite();
  const paused = deliver(tokenA, 'make');
  await write.held;
  const tokenB = await takeLease(table, service.nowMs + 60_000, 'relay-b');
  expect(tokenB).toBe(tokenA + 1);
  const b = await deliver(tokenB, 'count');
  expect(b.items[0]?.outcome.type).toBe('done');
  write.release();

  expect((await paused).items[0]).toMatchObject({ outcome: { type: 'busy' }, actions: [] });
  const row = (await readKeyStates(table, 'cluster-uid', 'widget', [`default/${name}`])).states.get(`default/${name}`);
  expect(row?.token).toBe(tokenB);
  const again = widgetBatch([widgetItem(name, 'make')], { token: tokenA, listedToken: tokenA });
  expect(await service.refused(again)).toMatchObject({ type: 'stale-token' });
});
