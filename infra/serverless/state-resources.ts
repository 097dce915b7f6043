import { tableShape } from '../../functions/store/table.ts';
import { RETAINED, type Resource } from './resource.ts';

/** Paid by use, encrypted under the account's key, with point-in-time recovery; it outlives the stack. */
export function tableResource(): Resource {
  return {
    Type: 'AWS::DynamoDB::Table',
    ...RETAINED,
    Properties: {
      ...tableShape,
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
