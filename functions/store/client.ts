import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * Time limits of one call of the table. The SDK sets none by itself, so a function that was frozen with its sockets open
 * could wait on a dead one until it is killed.
 */
const CONNECTION_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_500;
const ATTEMPTS = 3;
/** What the SDK waits between attempts at most: 100 and 200 ms, five times that when throttled. */
const PAUSES_MS = 1_500;

/** The longest that one call can take, all attempts included. A function's own time limit is above this. */
export const LONGEST_CALL_MS = ATTEMPTS * (CONNECTION_TIMEOUT_MS + REQUEST_TIMEOUT_MS) + PAUSES_MS;

/**
 * Endpoint (`AWS_ENDPOINT_URL_DYNAMODB`), region and credentials come from the environment, as the SDK reads them; `overrides`
 * is for those who have none, such as tests.
 */
export function createClient(overrides: ConstructorParameters<typeof DynamoDBClient>[0] = {}): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Without this the time limit only warns.
      throwOnRequestTimeout: true,
    },
    ...overrides,
  });
}
