import { GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from './attribute-value.ts';
import { allOf, equals, isAbsent, unlessConditionFails } from './condition.ts';
import { expiresAtMs, fromLeaseRow, type Lease, toLeaseRow } from './lease-row.ts';
import { leaseKey, type Table } from './table.ts';

export type LeaseResult =
  | { readonly type: 'granted'; readonly lease: Lease }
  /** `held`: who holds it as far as is known; absent: nobody, or the row changed just now. */
  | { readonly type: 'refused'; readonly held?: Lease };

export interface LeaseClaim {
  readonly cluster: string;
  readonly holder: string;
  readonly durationMs: number;
  /** The function's clock now, milliseconds since the epoch. */
  readonly nowMs: number;
}

/**
 * Takes the lease if nobody holds it. The token rises by 1, also when the same holder takes it again, since the answer was lost:
 * its older writes may still be on their way.
 *
 * | the row | acquire writes | if |
 * |---|---|---|
 * | absent | token 1 | still absent |
 * | released, expired, or ours but not yet renewed | token + 1 | token and time are as read |
 * | held by another | nothing | |
 * | ours, and renewed | nothing: whoever renews has its token, so this is an old request, come late or once more | |
 */
export async function acquireLease(table: Table, claim: LeaseClaim): Promise<LeaseResult> {
  const stored = await readLease(table, claim.cluster);
  if (stored?.holder !== undefined && claim.nowMs <= expiresAtMs(stored)) {
    if (stored.holder !== claim.holder || stored.renewedAtMs !== stored.acquiredAtMs)
      return { type: 'refused', held: stored };
  }
  const unchanged =
    stored === undefined ? allOf(isAbsent('token')) : allOf(tokenIs(stored.token), renewedAtIs(stored.renewedAtMs));
  const lease: Lease = {
    holder: claim.holder,
    token: (stored?.token ?? 0) + 1,
    acquiredAtMs: claim.nowMs,
    renewedAtMs: claim.nowMs,
    durationMs: claim.durationMs,
    // Whoever acquires the lease begins with all keys; what was asked for before is void.
    visitedAllAtMs: claim.nowMs,
  };
  const Item = toLeaseRow(claim.cluster, lease);
  const written = await unlessConditionFails(
    table.client.send(new PutItemCommand({ TableName: table.name, Item, ...unchanged })),
  );
  return written === undefined ? { type: 'refused' } : { type: 'granted', lease };
}

/**
 * Renews while holder and token are the claim's, also when late: nobody else has taken it then. The rest of the row stays, and
 * comes back with the answer: what is to be visited costs no read of its own.
 */
export async function renewLease(table: Table, claim: LeaseClaim & { readonly token: number }): Promise<LeaseResult> {
  const ours = allOf(holderIs(claim.holder), tokenIs(claim.token));
  const renewed = await unlessConditionFails(
    table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: leaseKey(claim.cluster),
        UpdateExpression: 'SET renewedAtMs = :renewedAtMs, durationMs = :durationMs',
        ...ours,
        ExpressionAttributeValues: {
          ...ours.ExpressionAttributeValues,
          ...toItem({ ':renewedAtMs': claim.nowMs, ':durationMs': claim.durationMs }),
        },
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  if (renewed?.Attributes !== undefined) return { type: 'granted', lease: fromLeaseRow(renewed.Attributes) };
  const stored = await readLease(table, claim.cluster);
  return stored?.holder === undefined ? { type: 'refused' } : { type: 'refused', held: stored };
}

/** Gives the lease up if holder and token are the claim's; else there is nothing to give up. The token stays in the row. */
export async function releaseLease(
  table: Table,
  claim: Pick<LeaseClaim, 'cluster' | 'holder'> & { readonly token: number },
): Promise<void> {
  const given = allOf(holderIs(claim.holder), tokenIs(claim.token));
  await unlessConditionFails(
    table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: leaseKey(claim.cluster),
        UpdateExpression: 'REMOVE #holder',
        ...given,
      }),
    ),
  );
}

/** Consistently; `undefined`: never acquired. */
export async function readLease(table: Table, cluster: string): Promise<Lease | undefined> {
  const { Item } = await table.client.send(
    new GetItemCommand({ TableName: table.name, Key: leaseKey(cluster), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : fromLeaseRow(Item);
}

const holderIs = (holder: string) => equals('holder', { S: holder });
const tokenIs = (token: number) => equals('token', { N: String(token) });
const renewedAtIs = (ms: number) => equals('renewedAtMs', { N: String(ms) });
