// The same calls, by functions/store's own code, on the model and on an implementation of DynamoDB.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersOf, dueKeys } from '../../../functions/store/due-index.ts';
import type { KeyState } from '../../../functions/store/key-state.ts';
import { acquireLease, readLease, releaseLease, renewLease } from '../../../functions/store/lease.ts';
import { readKeyStates } from '../../../functions/store/read-key-states.ts';
import type { Table } from '../../../functions/store/table.ts';
import { clearVisit, markVisit } from '../../../functions/store/visit.ts';
import { releaseVsockId, takeVsockId } from '../../../functions/store/vsock-ids.ts';
import { deleteKeyState, putKeyState } from '../../../functions/store/write-key-state.ts';
import { type LocalTable, startLocalTable } from '../../functions/support/local-table.ts';
import { TableModel } from './table-model.ts';

let real: LocalTable;
beforeAll(async () => {
  real = await startLocalTable();
});
afterAll(() => real.stop());

function modelTable(): Table {
  const model = new TableModel();
  const client = {
    send: async (command: { constructor: { name: string }; input: unknown }) =>
      model.call({ name: command.constructor.name, input: command.input }),
  };
  return { client: client as unknown as DynamoDBClient, name: 'any', pause: () => Promise.resolve() };
}

/** Something that store does, told by numbers: what is done, to which of few keys, with which of few values. */
type Step = readonly [op: number, which: number, value: number];

async function perform(table: Table, cluster: string, [op, which, value]: Step): Promise<unknown> {
  const address = { cluster, controller: 'vm', key: `ns/${which}` };
  const writer = { token: value, deliveryId: `d${value}` };
  const claim = { cluster, holder: `h${which}`, durationMs: 15_000, nowMs: value * 10_000 };
  const read = async (): Promise<KeyState | undefined> =>
    (await readKeyStates(table, cluster, 'vm', [address.key])).states.get(address.key);
  const stale = { version: which + 1 } as KeyState;
  const next = { uid: `u${which}`, expectations: [], failures: value, dueAtMs: value * 100 + which, state: { value } };
  switch (op) {
    case 0:
      return putKeyState(table, address, await read(), next, writer);
    case 1:
      return putKeyState(table, address, value > 1 ? stale : undefined, next, writer);
    case 2:
      return deleteKeyState(table, address, (await read()) ?? stale, writer);
    case 3:
      return acquireLease(table, claim);
    case 4:
      return renewLease(table, { ...claim, token: value });
    case 5:
      return releaseLease(table, { cluster, holder: claim.holder, token: value });
    case 6:
      return takeVsockId(table, cluster, which, { holder: `u${value}`, holders: [`u${value}`, 'u9'] });
    case 7:
      return releaseVsockId(table, cluster, which, [`u${value}`]);
    case 8:
      return markVisit(table, cluster, value, { markedAtMs: which, keys: [`vm/ns/${which}`] });
    case 9: {
      const lease = await readLease(table, cluster);
      return lease && clearVisit(table, cluster, lease, value);
    }
    default:
      return undefined;
  }
}

async function seen(table: Table, cluster: string): Promise<unknown> {
  const { lease, states } = await readKeyStates(table, cluster, 'vm', ['ns/0', 'ns/1', 'ns/2']);
  const clusters = await clustersOf(table);
  // A batch's order is nobody's promise.
  const sorted = [...states].sort(([a], [b]) => a.localeCompare(b));
  return { lease, states: sorted, due: await dueKeys(table, cluster, 250, 2), leased: clusters.includes(cluster) };
}

test('the model answers as an implementation of DynamoDB does', async () => {
  const step = fc.tuple(fc.nat(9), fc.nat(2), fc.nat(3));
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const cluster = `cluster-${run++}`;
      const model = modelTable();
      for (const one of steps) {
        const [expected, actual] = [await perform(real, cluster, one), await perform(model, cluster, one)];
        expect(actual).toEqual(expected);
      }
      expect(await seen(model, cluster)).toEqual(await seen(real, cluster));
    }),
    { numRuns: 40, seed: 20261201 },
  );
});
