import { shadowOf } from '../../functions/core/shadow.ts';
import { DUE_INDEX } from '../../functions/store/table.ts';

/** `sweep`: run by a schedule, has no address. */
export type FunctionRole = 'controller' | 'lease' | 'sweep';

/** What a function may do with the table: calls, and in which partitions. */
export interface Permission {
  readonly actions: readonly string[];
  /** Absent: the table itself. */
  readonly index?: string;
  /** Patterns of `dynamodb:LeadingKeys`; absent: every partition. */
  readonly partitions?: readonly string[];
}

/** A cluster is named by a uid, its shadow by that uid and a suffix: a pattern for either, which no controller's partition fits. */
const UID = '????????-????-????-????-????????????';
const CLUSTER = [UID, shadowOf(UID)];

/**
 * Least privilege by partition (`functions/store/table.ts`). A controller has its own partition of each cluster, and the
 * cluster's own, where the lease (read), the migration slots and the VSOCK ids lie; IAM can't tell these apart, as it sees the
 * partition only.
 */
export function permissionsOf(name: string, role: FunctionRole): readonly Permission[] {
  switch (role) {
    case 'controller':
      return [
        {
          actions: ['dynamodb:BatchGetItem', 'dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
          partitions: [...CLUSTER, ...CLUSTER.map((cluster) => `${cluster}#${name}`)],
        },
      ];
    case 'lease':
      return [{ actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'], partitions: CLUSTER }];
    case 'sweep':
      return [
        { actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'], partitions: CLUSTER },
        { actions: ['dynamodb:Query'], index: DUE_INDEX },
      ];
  }
}
