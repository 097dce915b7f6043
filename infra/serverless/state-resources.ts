import { DUE_INDEX, DUE_PARTITION, DUE_SORT, PARTITION_KEY, SORT_KEY } from '../../functions/store/table.ts';
import { RETAINED, type Resource } from './resource.ts';

/** Paid by use, encrypted under the account's key, with point-in-time recovery; it outlives the stack. */
export function tableResource(): Resource {
  const key = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ];
  return {
    Type: 'AWS::DynamoDB::Table',
    ...RETAINED,
    Properties: {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: PARTITION_KEY, AttributeType: 'S' },
        { AttributeName: SORT_KEY, AttributeType: 'S' },
        { AttributeName: DUE_PARTITION, AttributeType: 'S' },
        { AttributeName: DUE_SORT, AttributeType: 'N' },
      ],
      KeySchema: key(PARTITION_KEY, SORT_KEY),
      GlobalSecondaryIndexes: [
        {
          IndexName: DUE_INDEX,
          KeySchema: key(DUE_PARTITION, DUE_SORT),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true },
      DeletionProtectionEnabled: true,
    },
  };
}

export function signingKeysResource(): Resource {
  return {
    Type: 'AWS::SecretsManager::Secret',
    ...RETAINED,
    Properties: {
      Description: 'Keys that relays and functions sign with, separated by commas',
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
    },
  };
}
