import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { KeyState } from '../../../functions/store/key-state.ts';
import { acquireLease } from '../../../functions/store/lease.ts';
import { readKeyStates } from '../../../functions/store/read-key-states.ts';
import {
  deleteKeyState,
  type NewKeyState,
  putKeyState,
  type Writer,
} from '../../../functions/store/write-key-state.ts';
import { type LocalTable, startLocalTable } from '../support/local-table.ts';

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());
afterEach(() => {
  table.intercept = undefined;
});

const address = (key: string) => ({ cluster: 'c', controller: 'vm', key });
const next: NewKeyState = {
  uid: 'u1',
  expectations: [
    { id: 'pod', kind: 'Pod', since: 5 },
    { id: 'old', kind: 'Pod', since: 4, resourceVersion: '77' },
  ],
  failures: 2,
  dueAtMs: 1000,
  state: { seen: ['a', { b: null }] },
};
const writer: Writer = { token: 7, deliveryId: 'd1' };

async function rowOf(key: string): Promise<KeyState | undefined> {
  return (await readKeyStates(table, 'c', 'vm', [key])).states.get(key);
}

test('a row is read as it was written, its version counted up', async () => {
  expect(await putKeyState(table, address('ns/whole'), undefined, next, writer)).toBe('written');
  const first = await rowOf('ns/whole');
  expect(first).toEqual({ ...next, ...writer, version: 1 });
  await putKeyState(table, address('ns/whole'), first, { uid: 'u1', expectations: [], failures: 0 }, writer);
  expect(await rowOf('ns/whole')).toEqual({ uid: 'u1', expectations: [], failures: 0, ...writer, version: 2 });
});

test('a batch is one consistent read, the lease in it; keys without a row are not in it', async () => {
  await acquireLease(table, { cluster: 'batch', holder: 'h', durationMs: 15_000, nowMs: 1000 });
  await putKeyState(table, { cluster: 'batch', controller: 'vm', key: 'ns/a' }, undefined, next, writer);
  table.calls.length = 0;
  const keys = ['ns/a', ...Array.from({ length: 98 }, (_, i) => `ns/none-${i}`)];
  const read = await readKeyStates(table, 'batch', 'vm', keys);
  expect([...read.states.keys()]).toEqual(['ns/a']);
  expect(read.lease?.token).toBe(1);
  expect(table.calls).toEqual(['BatchGetItemCommand']);
});

describe('what the table leaves unprocessed', () => {
  /** Takes that key out of each of the first `times` reads. */
  function leaveOut(sk: string, times: number): void {
    table.intercept = async (command, proceed) => {
      const result = (await proceed()) as {
        output: { Responses: Record<string, { sk: { S: string } }[]>; UnprocessedKeys: object };
      };
      const rows = result.output.Responses[table.name];
      if (command !== 'BatchGetItemCommand' || times-- <= 0 || rows === undefined) return result;
      const left = rows.filter((row) => row.sk.S === sk);
      result.output.Responses[table.name] = rows.filter((row) => row.sk.S !== sk);
      const Keys = left.map((row) => ({ pk: (row as unknown as { pk: object }).pk, sk: row.sk }));
      if (Keys.length > 0) result.output.UnprocessedKeys = { [table.name]: { Keys, ConsistentRead: true } };
      return result;
    };
  }

  test('is read again', async () => {
    await putKeyState(table, address('ns/again'), undefined, next, writer);
    leaveOut('ns/again', 2);
    const read = await readKeyStates(table, 'c', 'vm', ['ns/again']);
    expect(read.states.get('ns/again')?.failures).toBe(2);
    expect(read.unread.size).toBe(0);
  });

  test('is reported in the end, never taken for no state', async () => {
    await putKeyState(table, address('ns/unread'), undefined, next, writer);
    leaveOut('ns/unread', 99);
    const read = await readKeyStates(table, 'c', 'vm', ['ns/unread']);
    expect([...read.unread]).toEqual(['ns/unread']);
  });

  test('nothing goes without the lease', async () => {
    await acquireLease(table, { cluster: 'c', holder: 'h', durationMs: 15_000, nowMs: 1000 });
    leaveOut('lease', 99);
    await expect(readKeyStates(table, 'c', 'vm', ['ns/x'])).rejects.toThrow('lease');
  });
});

describe('a write is refused', () => {
  test('when another made the row since', async () => {
    await putKeyState(table, address('ns/made'), undefined, next, { token: 7, deliveryId: 'other' });
    expect(await putKeyState(table, address('ns/made'), undefined, next, writer)).toBe('conflict');
  });

  test('when another wrote the row since', async () => {
    await putKeyState(table, address('ns/written'), undefined, next, writer);
    const read = await rowOf('ns/written');
    await putKeyState(table, address('ns/written'), read, next, { token: 7, deliveryId: 'other' });
    expect(await putKeyState(table, address('ns/written'), read, next, { token: 7, deliveryId: 'd2' })).toBe(
      'conflict',
    );
    if (read !== undefined) expect(await deleteKeyState(table, address('ns/written'), read, writer)).toBe('conflict');
    expect((await rowOf('ns/written'))?.deliveryId).toBe('other');
  });

  test('when the row was made anew under a newer token, version alike', async () => {
    await putKeyState(table, address('ns/anew'), undefined, next, { token: 7, deliveryId: 'd1' });
    const read = await rowOf('ns/anew');
    if (read === undefined) throw new Error('no row');
    await deleteKeyState(table, address('ns/anew'), read, { token: 8, deliveryId: 'b1' });
    await putKeyState(table, address('ns/anew'), undefined, next, { token: 8, deliveryId: 'b2' });
    expect((await rowOf('ns/anew'))?.version).toBe(read.version);
    expect(await putKeyState(table, address('ns/anew'), read, next, { token: 7, deliveryId: 'd2' })).toBe('conflict');
  });
});

test('of writers that race from one reading, one wins', async () => {
  const race = (read: KeyState | undefined, prefix: string) =>
    Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        putKeyState(table, address('ns/race'), read, next, { token: 7, deliveryId: `${prefix}${i}` }),
      ),
    );
  expect((await race(undefined, 'a')).filter((r) => r === 'written')).toHaveLength(1);
  expect((await race(await rowOf('ns/race'), 'b')).filter((r) => r === 'written')).toHaveLength(1);
  expect((await rowOf('ns/race'))?.version).toBe(2);
});

describe('a write whose answer is lost', () => {
  /** Lets the first write happen twice, as the SDK does when the first one's answer does not arrive. */
  function sendTwice(): void {
    let first = true;
    table.intercept = async (command, proceed) => {
      if (!first || !/^(Put|Delete)/.test(command)) return proceed();
      first = false;
      await proceed();
      return proceed();
    };
  }

  test('has succeeded', async () => {
    sendTwice();
    expect(await putKeyState(table, address('ns/lost'), undefined, next, writer)).toBe('written');
    expect((await rowOf('ns/lost'))?.version).toBe(1);
  });

  test('and so has a removal', async () => {
    await putKeyState(table, address('ns/gone'), undefined, next, writer);
    const read = await rowOf('ns/gone');
    if (read === undefined) throw new Error('no row');
    sendTwice();
    expect(await deleteKeyState(table, address('ns/gone'), read, writer)).toBe('written');
    expect(await rowOf('ns/gone')).toBeUndefined();
  });
});
