// A key blocked for ever by an "in progress" flag that a crash left set (java-operator-sdk issue 3416).
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

test.each(['before', 'after'])(
  'a function that dies %s its write leaves nothing that holds the key back',
  async (when) => {
    const service = widgetService(table);
    const token = await takeLease(table, service.nowMs);
    const key = `default/${when}`;
    const deliver = () =>
      service.deliver(widgetBatch([widgetItem(when, 'make')], { token, listedToken: token }), 2_000);

    // The function never comes back from its write: what the relay sees is a time-out.
    table.intercept = async (command, proceed) => {
      if (command !== 'PutItemCommand') return proceed();
      if (when === 'after') await proceed();
      return new Promise(() => undefined);
    };
    expect((await deliver()).items[0]).toMatchObject({ outcome: { type: 'left' }, actions: [] });
    table.intercept = undefined;
    const row = (await readKeyStates(table, 'cluster-uid', 'widget', [key])).states.get(key);
    expect(row?.expectations.length).toBe(when === 'after' ? 1 : undefined);

    expect((await deliver()).items[0]).toMatchObject({ outcome: { type: 'done' }, actions: [{ verb: 'create' }] });
  },
);
