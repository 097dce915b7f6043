import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { allOf, type Condition, equals, isAbsent, isAtMost, unlessConditionFails } from './condition.ts';
import { fromRow, type KeyAddress, type KeyState, toRow } from './key-state.ts';
import { keyStateKey, type Table } from './table.ts';

/** `conflict`: another pass has written the row since it was read; nothing was written. */
export type WriteResult = 'written' | 'conflict';

/** Who writes. */
export interface Writer {
  readonly token: number;
  readonly deliveryId: string;
}

/** What a pass leaves behind; the row gets its token, version and delivery id when it is written. */
export type NewKeyState = Omit<KeyState, 'token' | 'version' | 'deliveryId'>;

/**
 * Writes a key's row. `read` is the row that the pass began with.
 *
 * | time | delivery A, token 7 | delivery B, token 8 | row |
 * |---|---|---|---|
 * | 1 | reads version 3 | | version 3, token 7 |
 * | 2 | | reads version 3 | |
 * | 3 | | writes: version is 3, token at most 8 | version 4, token 8 |
 * | 4 | writes: version is not 3: `conflict` | | |
 *
 * The token's part also holds where versions would not tell: after a row was removed and made anew.
 */
export async function putKeyState(
  table: Table,
  address: KeyAddress,
  read: KeyState | undefined,
  next: NewKeyState,
  writer: Writer,
): Promise<WriteResult> {
  const row: KeyState = { ...next, ...writer, version: (read?.version ?? 0) + 1 };
  const Item = toRow(address, row);
  return settle(
    table.client.send(new PutItemCommand({ TableName: table.name, Item, ...asRead(read, writer) })),
    async () => (await readRow(table, address))?.deliveryId === writer.deliveryId,
  );
}

/** Removes a key's row, under the same condition. */
export async function deleteKeyState(
  table: Table,
  address: KeyAddress,
  read: KeyState,
  writer: Writer,
): Promise<WriteResult> {
  const Key = keyStateKey(address.cluster, address.controller, address.key);
  return settle(
    table.client.send(new DeleteItemCommand({ TableName: table.name, Key, ...asRead(read, writer) })),
    async () => (await readRow(table, address)) === undefined,
  );
}

/** The row is as it was read, and nobody with a newer token has written it. */
function asRead(read: KeyState | undefined, writer: Writer): Condition {
  if (read === undefined) return allOf(isAbsent('version'));
  return allOf(equals('version', { N: String(read.version) }), isAtMost('token', { N: String(writer.token) }));
}

/**
 * A write whose answer was lost is sent again by the SDK and then fails on its own first success. `isOurs` looks whether
 * that is so, by a consistent read: a failed condition's old item is not told by every implementation of DynamoDB.
 */
async function settle(write: Promise<unknown>, isOurs: () => Promise<boolean>): Promise<WriteResult> {
  if ((await unlessConditionFails(write)) !== undefined) return 'written';
  return (await isOurs()) ? 'written' : 'conflict';
}

async function readRow(table: Table, address: KeyAddress): Promise<KeyState | undefined> {
  const Key = keyStateKey(address.cluster, address.controller, address.key);
  const { Item } = await table.client.send(new GetItemCommand({ TableName: table.name, Key, ConsistentRead: true }));
  return Item === undefined ? undefined : fromRow(Item);
}
