import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { SlotGrant } from '../core/needs.ts';
import { fromItem, type Item, type Json, toItem } from './attribute-value.ts';
import { allOf, equals, isAbsent, unlessConditionFails } from './condition.ts';
import { TableUnavailableError } from './errors.ts';
import { admit, type SlotClaim, type SlotHolder, type SlotHolders } from './slots.ts';
import { slotsKey, type Table } from './table.ts';

/** How often a change is tried when others change the slots at the same time. Each of them made progress then. */
const ATTEMPTS = 10;

/**
 * Asks for a slot. Nothing is written when there is none.
 *
 * | time | migration A | migration B | row |
 * |---|---|---|---|
 * | 1 | reads version 3: one slot free | reads version 3: one slot free | version 3 |
 * | 2 | writes itself: version is 3 | | version 4, A |
 * | 3 | | writes itself: version is not 3 | version 4, A |
 * | 4 | | reads version 4: full | version 4, A |
 *
 * Throws TableUnavailableError when others are always faster, and what the SDK throws.
 */
export async function admitToSlot(table: Table, cluster: string, claim: SlotClaim): Promise<SlotGrant> {
  return changeSlots(table, cluster, (holders) => {
    const { grant, holders: after } = admit(holders, claim);
    return { result: grant, after: grant.type === 'admitted' ? after : undefined };
  });
}

/** Gives a slot back, if the migration has one. */
export async function releaseSlot(table: Table, cluster: string, uid: string): Promise<void> {
  await changeSlots(table, cluster, (holders) => {
    const { [uid]: own, ...after } = holders;
    return { result: undefined, after: own === undefined ? undefined : after };
  });
}

async function changeSlots<T>(
  table: Table,
  cluster: string,
  change: (holders: SlotHolders) => { readonly result: T; readonly after: SlotHolders | undefined },
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { version, holders } = await readSlots(table, cluster);
    const { result, after } = change(holders);
    if (after === undefined) return result;
    const Item = { ...slotsKey(cluster), ...toItem({ version: version + 1, holders: after as unknown as Json }) };
    const unchanged = allOf(version === 0 ? isAbsent('version') : equals('version', { N: String(version) }));
    const written = await unlessConditionFails(
      table.client.send(new PutItemCommand({ TableName: table.name, Item, ...unchanged })),
    );
    if (written !== undefined) return result;
  }
  throw new TableUnavailableError('the migration slots are changed by others all the time');
}

async function readSlots(
  table: Table,
  cluster: string,
): Promise<{ readonly version: number; readonly holders: SlotHolders }> {
  const { Item } = await table.client.send(
    new GetItemCommand({ TableName: table.name, Key: slotsKey(cluster), ConsistentRead: true }),
  );
  return Item === undefined ? { version: 0, holders: {} } : fromSlotsRow(Item);
}

/** Throws on a row that `changeSlots` did not write. */
function fromSlotsRow(item: Item): { readonly version: number; readonly holders: SlotHolders } {
  const { version, holders } = fromItem(item);
  if (typeof version !== 'number' || !isMap(holders)) throw new Error('row: not migration slots');
  return {
    version,
    holders: Object.fromEntries(Object.entries(holders).map(([uid, holder]) => [uid, toHolder(holder)])),
  };
}

function toHolder(value: Json | undefined): SlotHolder {
  const { node, admittedAtMs, token } = isMap(value) ? value : {};
  if (typeof node !== 'string' || typeof admittedAtMs !== 'number' || typeof token !== 'number')
    throw new Error('row: not a holder of a migration slot');
  return { node, admittedAtMs, token };
}

function isMap(value: Json | undefined): value is { readonly [name: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
