import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeReconcileAnswer, encode } from '../../../events/envelope/decode.ts';
import { signRequest } from '../../../events/envelope/signing.ts';
import { BUNDLES, ROOT } from '../../../infra/build/project.ts';
import { buildBundles } from '../../functions/support/bundles.ts';
import { emptyBatch } from '../../functions/support/empty-batch.ts';
import { type LocalTable, startLocalTable } from '../../functions/support/local-table.ts';
import { keys, takeLease } from '../../functions/support/widget-service.ts';

const bundle = (name: string) => join(BUNDLES, name, 'index.mjs');
let table: LocalTable;
beforeAll(async () => {
  await buildBundles();
  table = await startLocalTable();
  await takeLease(table, Date.now());
});
afterAll(() => table.stop());

async function start(args: readonly string[]): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const env = { ...table.environment, VIRT_FUNCTIONS_SIGNING_KEYS: keys.join() };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    const { port } = JSON.parse(line) as { port: number };
    return { child, port };
  }
  throw new Error('the process ended before it listened');
}

async function deliver(port: number, name: string): Promise<string | undefined> {
  const request = emptyBatch(name);
  const body = encode(request);
  const headers = signRequest(keys, { audience: `reconcile/${name}`, id: request.deliveryId, body }, Date.now());
  const response = await fetch(`http://127.0.0.1:${port}/v1/reconcile/${name}`, { method: 'POST', headers, body });
  if (response.status !== 200) return `${response.status}`;
  return decodeReconcileAnswer(new Uint8Array(await response.arrayBuffer()), request).items[0]?.outcome.type;
}

async function stopped(child: ChildProcess): Promise<unknown> {
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  return code;
}

test('several functions in one process, one on a schedule among them', async () => {
  const bundles = ['resync', 'vm', 'vmi'].map(bundle);
  const { child, port } = await start([join(ROOT, 'infra/local/functions-host.ts'), ...bundles]);
  expect([await deliver(port, 'vm'), await deliver(port, 'vmi')]).toEqual(['done', 'done']);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  expect((await fetch(`http://127.0.0.1:${port}/v1/reconcile/none`, { method: 'POST' })).status).toBe(404);
  expect(await stopped(child)).toBe(0);
});

test('one bundle, run directly', async () => {
  const { child, port } = await start([bundle('vm'), '--port', '0']);
  expect([await deliver(port, 'vm'), await deliver(port, 'vmi')]).toEqual(['done', '404']);
  expect(await stopped(child)).toBe(0);
});
