import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from './attribute-value.ts';
import { LEASES } from './lease-row.ts';
import { DUE_INDEX, DUE_PARTITION, DUE_SORT, PARTITION_KEY, SORT_KEY, type Table } from './table.ts';

/** A key whose time to be visited again has passed, as far as the index knows. */
export interface DueKey {
  readonly controller: string;
  /** `<namespace>/<name>`, or `<name>`. */
  readonly key: string;
  readonly dueAtMs: number;
}

/** All clusters whose relays ever held a lease. */
export async function clustersOf(table: Table): Promise<readonly string[]> {
  const clusters: string[] = [];
  let from: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: DUE_INDEX,
        KeyConditionExpression: `${DUE_PARTITION} = :leases`,
        ExpressionAttributeValues: { ':leases': { S: LEASES } },
        ...(from !== undefined && { ExclusiveStartKey: from }),
      }),
    );
    clusters.push(...Items.map((item) => item[PARTITION_KEY]?.S ?? ''));
    from = LastEvaluatedKey;
  } while (from !== undefined);
  return clusters;
}

/** Keys of one cluster that were due at that time or before, those that wait longest first, `limit` at most. */
export async function dueKeys(
  table: Table,
  cluster: string,
  beforeMs: number,
  limit: number,
): Promise<readonly DueKey[]> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: DUE_INDEX,
      KeyConditionExpression: `${DUE_PARTITION} = :cluster AND ${DUE_SORT} <= :before`,
      ExpressionAttributeValues: { ':cluster': { S: cluster }, ':before': { N: String(beforeMs) } },
      Limit: limit,
    }),
  );
  return Items.map((item) => ({
    controller: (item[PARTITION_KEY]?.S ?? '').slice(cluster.length + 1),
    key: item[SORT_KEY]?.S ?? '',
    dueAtMs: Number(item[DUE_SORT]?.N),
  }));
}
