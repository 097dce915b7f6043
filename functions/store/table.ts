/**
 * The one table (design section 3). Two text keys, one index, paid by use, nothing else that an implementation of DynamoDB
 * could lack:
 *
 * | item | pk | sk | in the due index |
 * |---|---|---|---|
 * | key state | `<cluster>#<controller>` | `<namespace>/<name>` | of its cluster, while it has a due time |
 * | lease | `<cluster>` | `lease` | under `leases`, at 0, for ever: so that all clusters can be found |
 * | migration slots | `<cluster>` | `slots#migrations` | no |
 * | VSOCK id | `<cluster>` | `vsock#<n>` | no |
 *
 * The index: partition `dueIn`, sorted by `dueAt` (number), both in an item or neither; keys only.
 */
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-value.ts';

export const PARTITION_KEY = 'pk';
export const SORT_KEY = 'sk';

export const DUE_INDEX = 'due-index';
export const DUE_PARTITION = 'dueIn';
export const DUE_SORT = 'dueAt';

/** Where a table is. */
export interface TableAddress {
  readonly client: DynamoDBClient;
  readonly name: string;
}

/** The table and the way to it. */
export interface Table extends TableAddress {
  /** Waits before a call is made again. */
  readonly pause: (ms: number) => Promise<unknown>;
}

export function keyStateKey(cluster: string, controller: string, key: string): Item {
  return { [PARTITION_KEY]: { S: `${cluster}#${controller}` }, [SORT_KEY]: { S: key } };
}

export function leaseKey(cluster: string): Item {
  return { [PARTITION_KEY]: { S: cluster }, [SORT_KEY]: { S: 'lease' } };
}

export function slotsKey(cluster: string): Item {
  return { [PARTITION_KEY]: { S: cluster }, [SORT_KEY]: { S: 'slots#migrations' } };
}

export function vsockKey(cluster: string, id: number): Item {
  return { [PARTITION_KEY]: { S: cluster }, [SORT_KEY]: { S: `vsock#${id}` } };
}

/** The members of an item that put it into the due index. */
export function dueIn(partition: string, atMs: number): Item {
  return { [DUE_PARTITION]: { S: partition }, [DUE_SORT]: { N: String(atMs) } };
}

/** What every way to make the table gives it: keys, index, and that it is paid by use. */
export const tableShape = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: PARTITION_KEY, AttributeType: 'S' },
    { AttributeName: SORT_KEY, AttributeType: 'S' },
    { AttributeName: DUE_PARTITION, AttributeType: 'S' },
    { AttributeName: DUE_SORT, AttributeType: 'N' },
  ],
  KeySchema: [
    { AttributeName: PARTITION_KEY, KeyType: 'HASH' },
    { AttributeName: SORT_KEY, KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: DUE_INDEX,
      KeySchema: [
        { AttributeName: DUE_PARTITION, KeyType: 'HASH' },
        { AttributeName: DUE_SORT, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
} satisfies Omit<CreateTableCommandInput, 'TableName'>;

/** Makes the table unless it is there, and waits for it: for development and tests; clouds get it from their templates. */
export async function createTable(table: TableAddress): Promise<void> {
  try {
    await table.client.send(
      new CreateTableCommand({
        TableName: table.name,
        ...tableShape,
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client: table.client, maxWaitTime: 30, minDelay: 1 }, { TableName: table.name });
}
