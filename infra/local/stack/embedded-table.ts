import type { AddressInfo } from 'node:net';
import dynalite from 'dynalite';
import { createClient } from '../../../functions/store/client.ts';
import { createTable } from '../../../functions/store/table.ts';
import { UnusableData } from '../unusable-data.ts';
import { copyRows } from './copy-rows.ts';

/** A table in this process, and the environment in which a function finds it. */
export interface EmbeddedTable {
  readonly environment: Readonly<Record<string, string>>;
  /** How often each operation was asked for: `BatchGetItem`, `PutItem`, ... */
  operations(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** A new name for each shape of the table (its keys and indexes); the rows of the one before are brought along. */
const TABLE_NAME = 'virt-functions-2';
const OLDER_NAME = 'virt-functions';

/**
 * Starts the embedded table, on disk in `folder`, or in memory.
 *
 * @throws UnusableData
 */
export async function startEmbeddedTable(folder: string | undefined): Promise<EmbeddedTable> {
  // Times of 0: a table that is killed while it is being created would stay so for ever.
  const server = dynalite({
    ...(folder === undefined ? {} : { path: folder }),
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
  });
  const counts: Record<string, number> = {};
  server.on('request', ({ headers }) => {
    const [, operation = 'other'] = String(headers['x-amz-target']).split('.');
    counts[operation] = (counts[operation] ?? 0) + 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const environment = {
    VIRT_FUNCTIONS_TABLE: TABLE_NAME,
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  };
  const client = createClient({
    endpoint: environment.AWS_ENDPOINT_URL_DYNAMODB,
    region: environment.AWS_REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  await orUnusable(createTable({ client, name: TABLE_NAME }), folder);
  await copyRows({ client, name: OLDER_NAME }, { client, name: TABLE_NAME });
  client.destroy();
  return {
    environment,
    operations: () => ({ ...counts }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** dynalite throws what its database says from a callback, where nobody can catch it. */
async function orUnusable<T>(first: Promise<T>, folder: string | undefined): Promise<T> {
  const fault = Promise.withResolvers<never>();
  const onFault = (error: Error): void => fault.reject(new UnusableData(folder ?? 'memory', error.message, error));
  process.once('uncaughtException', onFault);
  try {
    return await Promise.race([first, fault.promise]);
  } finally {
    process.off('uncaughtException', onFault);
  }
}
