// An ESM bundle that dies at its start with "Dynamic require of ... is not supported" (esbuild issue 1921 and others).
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encode } from '../../events/envelope/decode.ts';
import type { LeaseRequest, ReconcileRequest } from '../../events/envelope/envelope.ts';
import { type Audience, signRequest } from '../../events/envelope/signing.ts';
import { BUNDLES } from '../../infra/build/project.ts';
import { functionEntries } from '../../infra/build/sources.ts';
import { buildBundles } from '../functions/support/bundles.ts';
import { emptyBatch } from '../functions/support/empty-batch.ts';
import { lambdaEvent } from '../functions/support/lambda-event.ts';
import { type LocalTable, startLocalTable } from '../functions/support/local-table.ts';
import { keys, takeLease } from '../functions/support/widget-service.ts';

const CALL = `
  import { readFileSync } from 'node:fs';
  const { handler } = await import('./index.mjs');
  const event = JSON.parse(readFileSync(0, 'utf8'));
  const result = await handler(event, { getRemainingTimeInMillis: () => 10000 });
  console.log(JSON.stringify(result ?? null));
  process.exit(0);
`;

let table: LocalTable;
let folder: string;
beforeAll(async () => {
  await buildBundles();
  table = await startLocalTable();
  await takeLease(table, Date.now());
  folder = mkdtempSync(join(tmpdir(), 'bundle-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await table.stop();
});

async function messageFor(
  name: string,
): Promise<{ id: string; audience: Audience; message: ReconcileRequest | LeaseRequest }> {
  if (name === 'lease') {
    const message: LeaseRequest = {
      version: 1,
      cluster: 'c2',
      holder: 'a',
      timeMs: Date.now(),
      action: 'acquire',
      durationMs: 15_000,
    };
    return { id: 'lease-1', audience: 'lease', message };
  }
  const message = emptyBatch(name);
  return { id: message.deliveryId, audience: `reconcile/${name}`, message };
}

/** Run by a schedule, not called. */
const SCHEDULED = 'resync';

describe.each([...functionEntries().keys()].filter((name) => name !== SCHEDULED))(
  '%s, alone in a folder, with plain Node',
  (name) => {
    test.each([
      ['as Lambda loads it', { AWS_LAMBDA_FUNCTION_NAME: name }],
      ['elsewhere', {}],
    ])('starts and answers one call: %s', async (_, lambda) => {
      cpSync(join(BUNDLES, name, 'index.mjs'), join(folder, 'index.mjs'));
      writeFileSync(join(folder, 'call.mjs'), CALL);
      const { id, audience, message } = await messageFor(name);
      const body = encode(message);
      const event = lambdaEvent(
        `/v1/${audience}`,
        signRequest(keys, { audience, id, body }, Date.now()),
        body,
        'base64',
      );
      const env = { ...table.environment, ...lambda, VIRT_FUNCTIONS_SIGNING_KEYS: keys.join() };
      const run = promisify(execFile)(process.execPath, ['call.mjs'], { cwd: folder, env });
      run.child.stdin?.end(JSON.stringify(event));
      const { stdout } = await run;
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines.at(-1)).toMatchObject({ statusCode: 200 });
      // In Lambda each batch leaves a line of metrics.
      expect(lines.some((line) => '_aws' in line)).toBe(name !== 'lease' && 'AWS_LAMBDA_FUNCTION_NAME' in lambda);
    });
  },
);

describe(`${SCHEDULED}, alone in a folder, with plain Node`, () => {
  test.each([
    ['as Lambda runs it', ['call.mjs'], { AWS_LAMBDA_FUNCTION_NAME: SCHEDULED }],
    ['as cron runs it', ['index.mjs'], {}],
  ])('starts and runs once: %s', async (_, args, lambda) => {
    cpSync(join(BUNDLES, SCHEDULED, 'index.mjs'), join(folder, 'index.mjs'));
    writeFileSync(join(folder, 'call.mjs'), CALL);
    const run = promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...table.environment, ...lambda } });
    run.child.stdin?.end(JSON.stringify({ source: 'aws.scheduler' }));
    const { stdout } = await run;
    const metrics = stdout.split('\n').filter((line) => line.includes('"_aws"'));
    expect(metrics.length > 0).toBe('AWS_LAMBDA_FUNCTION_NAME' in lambda);
  });
});

test.each([...functionEntries().keys()])('in Lambda a missing setting shows at start: %s', async (name) => {
  cpSync(join(BUNDLES, name, 'index.mjs'), join(folder, 'index.mjs'));
  const run = promisify(execFile)(process.execPath, ['-e', "import('./index.mjs')"], {
    cwd: folder,
    env: { AWS_LAMBDA_FUNCTION_NAME: name },
  });
  await expect(run).rejects.toThrow('VIRT_FUNCTIONS_TABLE is not set');
});
