/**
 * The one table (design section 3). Two text keys, paid by use, nothing else that an implementation of DynamoDB could lack:
 *
 * | item | pk | sk |
 * |---|---|---|
 * | key state | `<cluster>#<controller>` | `<namespace>/<name>` |
 * | lease | `<cluster>` | `lease` |
 */
import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-value.ts';

export const PARTITION_KEY = 'pk';
export const SORT_KEY = 'sk';

/** The table and the way to it. */
export interface Table {
  readonly client: DynamoDBClient;
  readonly name: string;
}

export function keyStateKey(cluster: string, controller: string, key: string): Item {
  return { [PARTITION_KEY]: { S: `${cluster}#${controller}` }, [SORT_KEY]: { S: key } };
}

export function leaseKey(cluster: string): Item {
  return { [PARTITION_KEY]: { S: cluster }, [SORT_KEY]: { S: 'lease' } };
}

/** Makes the table unless it is there, and waits for it: for development and tests; clouds get it from their templates. */
export async function createTable(table: Table): Promise<void> {
  try {
    await table.client.send(
      new CreateTableCommand({
        TableName: table.name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: PARTITION_KEY, AttributeType: 'S' },
          { AttributeName: SORT_KEY, AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: PARTITION_KEY, KeyType: 'HASH' },
          { AttributeName: SORT_KEY, KeyType: 'RANGE' },
        ],
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client: table.client, maxWaitTime: 30, minDelay: 1 }, { TableName: table.name });
}
