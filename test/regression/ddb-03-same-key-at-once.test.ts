// The same event runs in two functions at once (amazon-dynamodb-lock-client issue 34).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalTable, startLocalTable } from '../functions/support/local-table.ts';
import { widgetBatch, widgetItem } from '../functions/support/widget.ts';
import { takeLease, widgetService } from '../functions/support/widget-service.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

test('three deliveries of one key at once: one does the work, two answer busy, the key is not lost', async () => {
  const service = widgetService(table);
  const token = await takeLease(table, service.nowMs);
  const deliver = () => service.deliver(widgetBatch([widgetItem('one', 'make')], { token, listedToken: token }));

  // All three have read before the first one writes.
  const all = Promise.withResolvers<void>();
  let writers = 0;
  table.intercept = async (command, proceed) => {
    if (command !== 'PutItemCommand') return proceed();
    if (++writers === 3) all.resolve();
    await all.promise;
    return proceed();
  };
  const answers = await Promise.all([deliver(), deliver(), deliver()]);
  table.intercept = undefined;

  const items = answers.flatMap((answer) => answer.items);
  expect(items.map((i) => i.outcome.type).sort()).toEqual(['busy', 'busy', 'done']);
  expect(items.flatMap((i) => i.actions)).toHaveLength(1);
  expect((await deliver()).items[0]?.actions).toHaveLength(1);
});
