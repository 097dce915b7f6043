// A thawed function uses dead sockets; time-outs that are longer than the function (aws-sdk-js-v3 issues 1196, 4666, 3710).
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from '../../functions/http/settings.ts';
import { createClient, LONGEST_CALL_MS } from '../../functions/store/client.ts';
import { leaseKey } from '../../functions/store/table.ts';
import { type LocalTable, startLocalTable } from '../functions/support/local-table.ts';

/** More than a busy machine adds, less than anything that hangs. */
const HANG_MS = 20_000;

let table: LocalTable;
beforeAll(async () => {
  table = await startLocalTable();
});
afterAll(() => table.stop());

const get = (name: string) => new GetItemCommand({ TableName: name, Key: leaseKey('c') });

test('the next call after all sockets were closed succeeds, and soon', async () => {
  await table.client.send(get(table.name));
  table.server.closeAllConnections();
  const began = performance.now();
  await table.client.send(get(table.name));
  expect(performance.now() - began).toBeLessThan(HANG_MS);
});

test('a table that takes calls and never answers costs less than a function may take', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const client = createClient({
    endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const began = performance.now();
  await expect(client.send(get('any'))).rejects.toThrow();
  expect(performance.now() - began).toBeLessThan(LONGEST_CALL_MS + HANG_MS);
  for (const socket of sockets) socket.destroy();
  silent.close();
  client.destroy();
});

test('the longest call ends before the shortest time limit that a function has by default', () => {
  const settings = readSettings({ VIRT_FUNCTIONS_TABLE: 't', VIRT_FUNCTIONS_SIGNING_KEYS: 'k'.repeat(32) });
  expect(LONGEST_CALL_MS).toBeLessThan(settings.timeLimitMs);
});
