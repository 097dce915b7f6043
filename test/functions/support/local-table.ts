import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../../functions/store/client.ts';
import { createTable, type Table } from '../../../functions/store/table.ts';

// dynalite has no types of its own.
const dynalite = createRequire(import.meta.url)('dynalite') as (options: { createTableMs: number }) => Server;

/** What a test may do to a call on its way: let it pass (call `next`), hold it, fail it before or after it took effect. */
export type Intercept = (command: string, next: () => Promise<unknown>) => Promise<unknown>;

export interface LocalTable extends Table {
  /** For processes that the test starts. */
  readonly environment: Readonly<Record<string, string>>;
  readonly server: Server;
  /** Names of the calls made so far, as `PutItemCommand`. */
  readonly calls: string[];
  intercept: Intercept | undefined;
  stop(): Promise<void>;
}

/**
 * A table in this process, empty, reached by the functions' own client. With `TEST_DYNAMODB_ENDPOINT` set, a table of another
 * implementation at that address instead (moto's server, for one).
 */
export async function startLocalTable(): Promise<LocalTable> {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = process.env['TEST_DYNAMODB_ENDPOINT'] ?? own;
  const name = `virt-functions-${randomUUID()}`;
  const client = createClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const underWay = new Set<Promise<unknown>>();
  const table: LocalTable = {
    client,
    name,
    pause: sleep,
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      VIRT_FUNCTIONS_TABLE: name,
    },
    server,
    calls: [],
    intercept: undefined,
    stop: async () => {
      // dynalite fails on calls that it still has when it closes.
      await Promise.allSettled(underWay);
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  await createTable(table);
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = context.commandName ?? '';
      table.calls.push(command);
      const proceed = () => {
        const call = next(args);
        underWay.add(call);
        call.then(
          () => underWay.delete(call),
          () => underWay.delete(call),
        );
        return call;
      };
      if (table.intercept === undefined) return proceed();
      return (await table.intercept(command, proceed)) as Awaited<ReturnType<typeof next>>;
    },
    { step: 'initialize' },
  );
  return table;
}

/** Those of the calls that write. */
export function writesOf(calls: readonly string[]): readonly string[] {
  return calls.filter((command) => /^(Put|Update|Delete)Item/.test(command));
}
