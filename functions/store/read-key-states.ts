import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-value.ts';
import { TableUnavailableError } from './errors.ts';
import { fromRow, type KeyState } from './key-state.ts';
import { fromLeaseRow, type Lease } from './lease-row.ts';
import { keyStateKey, leaseKey, PARTITION_KEY, SORT_KEY, type Table } from './table.ts';

/** Pauses before what was left unprocessed is read again. */
const PAUSES_MS = [20, 50, 100];

export interface KeyStates {
  /** `undefined`: never acquired. */
  readonly lease: Lease | undefined;
  /** Of keys that have a row. */
  readonly states: ReadonlyMap<string, KeyState>;
  /** Keys whose rows could not be read: nothing is known of their state, not even that there is none. */
  readonly unread: ReadonlySet<string>;
}

/**
 * Reads the states of up to 99 keys of one controller and the cluster's lease, all consistently and in one call. What
 * DynamoDB leaves unprocessed is read again three times.
 *
 * Throws TableUnavailableError when the lease can't be read, and what the SDK throws.
 */
export async function readKeyStates(
  table: Table,
  cluster: string,
  controller: string,
  keys: readonly string[],
): Promise<KeyStates> {
  const { rows, unprocessed } = await readItems(table, [
    leaseKey(cluster),
    ...keys.map((key) => keyStateKey(cluster, controller, key)),
  ]);
  const isLease = (item: Item) => item[PARTITION_KEY]?.S === cluster;
  if (unprocessed.some(isLease)) throw new TableUnavailableError('the lease can not be read');
  const lease = rows.find(isLease);
  return {
    lease: lease === undefined ? undefined : fromLeaseRow(lease),
    states: new Map(rows.filter((row) => !isLease(row)).map((row) => [sortKeyOf(row), fromRow(row)])),
    unread: new Set(unprocessed.map(sortKeyOf)),
  };
}

async function readItems(
  table: Table,
  keys: readonly Item[],
): Promise<{ readonly rows: readonly Item[]; readonly unprocessed: readonly Item[] }> {
  const rows: Item[] = [];
  let pending: readonly Item[] = keys;
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    const answer = await table.client.send(
      new BatchGetItemCommand({ RequestItems: { [table.name]: { Keys: [...pending], ConsistentRead: true } } }),
    );
    rows.push(...(answer.Responses?.[table.name] ?? []));
    pending = answer.UnprocessedKeys?.[table.name]?.Keys ?? [];
    if (pending.length === 0) break;
    if (pauseMs !== undefined) await table.pause(pauseMs);
  }
  return { rows, unprocessed: pending };
}

function sortKeyOf(item: Item): string {
  return item[SORT_KEY]?.S ?? '';
}
