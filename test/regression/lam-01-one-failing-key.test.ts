// One failing group blocks the others of its batch (powertools-lambda-python issue 2981).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalTable, startLocalTable } from '../functions/support/local-table.ts';
import { widgetBatch, widgetItem } from '../functions/support/widget.ts';
import { takeLease, widgetService } from '../functions/support/widget-service.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

test('of five keys one fails: only that one is told to fail, the others get what they want', async () => {
  const service = widgetService(table);
  const token = await takeLease(table, service.nowMs);
  const items = ['k1', 'k2', 'k3', 'k4', 'k5'].map((name) => widgetItem(name, name === 'k2' ? 'throw' : 'make'));
  const answer = await service.deliver(widgetBatch(items, { token, listedToken: token }));
  expect(answer.items.map((i) => [i.outcome.type, i.actions.length])).toEqual([
    ['done', 1],
    ['retry', 0],
    ['done', 1],
    ['done', 1],
    ['done', 1],
  ]);
});

test('a key is at most once in a batch, so that nothing of it comes after its failure', async () => {
  const service = widgetService(table);
  const twice = widgetBatch([widgetItem('k2', 'throw'), widgetItem('k2', 'make')]);
  expect(await service.refused(twice)).toMatchObject({ type: 'malformed', detail: 'items: a key comes twice' });
});
