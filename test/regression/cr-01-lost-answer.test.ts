// The same invocation twice makes two objects: generateName and a stale cache (route-to-contour-httpproxy PR 11 and others).
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReconcileAnswer, ReconcileRequest } from '../../events/envelope/envelope.ts';
import { type LocalTable, startLocalTable } from '../functions/support/local-table.ts';
import { widgetBatch, widgetItem } from '../functions/support/widget.ts';
import { takeLease, widgetService } from '../functions/support/widget-service.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

function namesOf(answers: readonly ReconcileAnswer[]): readonly string[] {
  const actions = answers.flatMap((answer) => answer.items.flatMap((item) => item.actions));
  return actions.map((action) => (action.verb === 'create' ? action.object.metadata.name : action.verb));
}

test('an answer is lost and the batch sent again, as it was or as a new one: the same object under the same name', async () => {
  const service = widgetService(table);
  const token = await takeLease(table, service.nowMs);
  const request = (): ReconcileRequest => widgetBatch([widgetItem('w', 'make')], { token, listedToken: token });
  const first = request();
  const answers = [await service.deliver(first)];
  service.nowMs += 5_000;
  answers.push(await service.deliver(first));
  service.nowMs += 5_000;
  answers.push(await service.deliver(request()));
  const names = namesOf(answers);
  expect(names).toHaveLength(3);
  expect(new Set(names).size).toBe(1);
  expect(names[0]).toMatch(/^w-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});
