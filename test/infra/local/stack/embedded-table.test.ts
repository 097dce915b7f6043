import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { expect, test } from 'vitest';
import { createClient } from '../../../../functions/store/client.ts';
import { acquireLease } from '../../../../functions/store/lease.ts';
import { startEmbeddedTable } from '../../../../infra/local/stack/embedded-table.ts';
import { scratchFolder } from '../scratch.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const connect = (endpoint: string) => createClient({ endpoint, region: 'local', credentials });

async function acquired(environment: Readonly<Record<string, string>>): Promise<number | undefined> {
  const client = connect(environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  const name = environment['VIRT_FUNCTIONS_TABLE'] ?? '';
  const claim = { cluster: 'c', holder: 'h', durationMs: 1000, nowMs: Date.now() };
  const result = await acquireLease({ client, name, pause: sleep }, claim);
  client.destroy();
  return result.type === 'granted' ? result.lease.token : undefined;
}

test('what is on disk is there again after a restart', async () => {
  const folder = scratchFolder();
  for (const token of [1, 2]) {
    const table = await startEmbeddedTable(folder);
    expect(await acquired(table.environment)).toBe(token);
    await table.close();
  }
});

test('a table from before the index: its rows are brought along, so that the token goes on; it is gone then', async () => {
  const folder = scratchFolder();
  await makeTableWithoutIndex(folder, 41);
  const table = await startEmbeddedTable(folder);
  expect(await acquired(table.environment)).toBe(42);
  const client = connect(table.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  expect((await client.send(new ListTablesCommand())).TableNames).toEqual([table.environment['VIRT_FUNCTIONS_TABLE']]);
  client.destroy();
  await table.close();
  const again = await startEmbeddedTable(folder);
  expect(await acquired(again.environment)).toBe(43);
  await again.close();
});

/** With the lease of cluster `c`, released under that token, and more rows than one page has. */
async function makeTableWithoutIndex(folder: string, token: number): Promise<void> {
  const server = dynalite({ path: folder, createTableMs: 0 });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const TableName = 'virt-functions';
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  const lease = { token: { N: String(token) }, renewedAtMs: { N: '1' }, durationMs: { N: '1000' } };
  const large = { text: { S: 'x'.repeat(300_000) } };
  const rows = Array.from({ length: 6 }, (_, i) => ({ pk: { S: `a${i}` }, sk: { S: 'row' }, ...large }));
  for (const Item of [...rows, { pk: { S: 'c' }, sk: { S: 'lease' }, ...lease }])
    await client.send(new PutItemCommand({ TableName, Item }));
  client.destroy();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
