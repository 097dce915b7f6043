import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { sha256Hex } from '../core/digest.ts';
import { allOf, anyOf, isAbsent, isOneOf, unlessConditionFails } from './condition.ts';
import { type Table, vsockKey } from './table.ts';

/** VSOCK context ids that guests may have: 0 to 2 have a meaning of their own (vmi.md 11.2). */
export const FIRST_VSOCK_ID = 3;
export const LAST_VSOCK_ID = 2 ** 32 - 1;

/** Where the search for an id begins: a number that is as good as random, and the same for the same seed. */
export function vsockStart(seed: string): number {
  const drawn = Number.parseInt(sha256Hex(seed).slice(0, 8), 16);
  return drawn < FIRST_VSOCK_ID ? drawn + FIRST_VSOCK_ID : drawn;
}

/** All ids from `start` on, in the order in which they are tried: the last is followed by the first. */
export function* vsockIdsFrom(
  start: number,
  { first, last }: { readonly first: number; readonly last: number } = { first: FIRST_VSOCK_ID, last: LAST_VSOCK_ID },
): Generator<number> {
  let id = start;
  do {
    yield id;
    id = id >= last ? first : id + 1;
  } while (id !== start);
}

/**
 * Takes an id for the holder; also what the holder, or one of the others named, has already.
 *
 * | the id's item | then it is |
 * |---|---|
 * | absent | the holder's |
 * | under one of `holders` | the holder's |
 * | under another uid | `taken` by that |
 */
export async function takeVsockId(
  table: Table,
  cluster: string,
  id: number,
  { holder, holders }: { readonly holder: string; readonly holders: readonly string[] },
): Promise<'ours' | 'taken'> {
  const free = anyOf(isAbsent('holder'), ...holderIsOneOf(holders));
  const Item = { ...vsockKey(cluster, id), holder: { S: holder } };
  const written = await unlessConditionFails(
    table.client.send(new PutItemCommand({ TableName: table.name, Item, ...free })),
  );
  return written === undefined ? 'taken' : 'ours';
}

/** Gives an id back if one of these has it; else there is nothing to give back. */
export async function releaseVsockId(
  table: Table,
  cluster: string,
  id: number,
  holders: readonly string[],
): Promise<void> {
  if (holders.length === 0) return;
  const Key = vsockKey(cluster, id);
  const ours = allOf(...holderIsOneOf(holders));
  await unlessConditionFails(table.client.send(new DeleteItemCommand({ TableName: table.name, Key, ...ours })));
}

function holderIsOneOf(uids: readonly string[]) {
  return uids.length === 0
    ? []
    : [
        isOneOf(
          'holder',
          uids.map((S) => ({ S })),
        ),
      ];
}
