/**
 * How the sweep's wishes reach a relay: they lie in the lease's row, the answer to each renewal names them, and they go when a
 * renewal says that they are known.
 *
 * | time | sweep | relay's renewal | row |
 * |---|---|---|---|
 * | 1 | marks list 100 | | list 100 |
 * | 2 | | answer names list 100; the answer is lost | list 100 |
 * | 3 | | answer names list 100 | list 100 |
 * | 4 | marks list 400 | | list 400 |
 * | 5 | | knows 100; answer names list 400 | list 400 |
 * | 6 | | knows 400 | none |
 */
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from './attribute-value.ts';
import { allOf, equals, isPresent, unlessConditionFails } from './condition.ts';
import { ALL_KEYS, type Lease, type Visit, visitMembers } from './lease-row.ts';
import { leaseKey, type Table } from './table.ts';

/** Puts a list in the place of the one before, if that lease is still held. */
export async function markVisit(table: Table, cluster: string, token: number, visit: Visit): Promise<void> {
  const held = allOf(equals('token', { N: String(token) }), isPresent('holder'));
  const { visitMarkedAtMs, visitKeys } = visitMembers(visit);
  await unlessConditionFails(
    table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: leaseKey(cluster),
        UpdateExpression: 'SET visitMarkedAtMs = :visitMarkedAtMs, visitKeys = :visitKeys',
        ...held,
        ExpressionAttributeValues: {
          ...held.ExpressionAttributeValues,
          ...toItem({ ':visitMarkedAtMs': visitMarkedAtMs, ':visitKeys': visitKeys }),
        },
      }),
    ),
  );
}

/** Removes the lease's list, which its holder knows, unless the sweep has put another in its place. */
export async function clearVisit(table: Table, cluster: string, lease: Lease, nowMs: number): Promise<void> {
  if (lease.visit === undefined) return;
  const isThatList = allOf(equals('visitMarkedAtMs', { N: String(lease.visit.markedAtMs) }));
  const all = lease.visit.keys.includes(ALL_KEYS);
  await unlessConditionFails(
    table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: leaseKey(cluster),
        UpdateExpression: `REMOVE visitMarkedAtMs, visitKeys${all ? ' SET visitedAllAtMs = :now' : ''}`,
        ...isThatList,
        ExpressionAttributeValues: {
          ...isThatList.ExpressionAttributeValues,
          ...(all && toItem({ ':now': nowMs })),
        },
      }),
    ),
  );
}
