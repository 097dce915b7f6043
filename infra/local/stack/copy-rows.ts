import { DeleteTableCommand, PutItemCommand, paginateScan, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { allOf, isAbsent, unlessConditionFails } from '../../../functions/store/condition.ts';
import { PARTITION_KEY, type TableAddress } from '../../../functions/store/table.ts';

/**
 * Brings the rows of a table of an older shape into the present one, then removes that: dynalite can't give an index to a table
 * that is there, and a lease's token must never fall. Rows that the present table has stay as they are, so that a copy that was
 * cut off is gone on with. Nothing if there is no such table. Nobody may be writing to either.
 */
export async function copyRows(older: TableAddress, present: TableAddress): Promise<void> {
  const { client } = older;
  try {
    for await (const { Items = [] } of paginateScan({ client }, { TableName: older.name, ConsistentRead: true })) {
      for (const Item of Items)
        await unlessConditionFails(
          client.send(new PutItemCommand({ TableName: present.name, Item, ...allOf(isAbsent(PARTITION_KEY)) })),
        );
    }
    await client.send(new DeleteTableCommand({ TableName: older.name }));
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}
