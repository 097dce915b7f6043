import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { awsSigner } from '../../../../events/relay/function-access/aws-signature.ts';
import { functionAddresses } from '../../../../events/relay/function-access/function-addresses.ts';

const clock = { now: () => Date.parse('2026-01-02T03:04:05Z'), monotonic: () => 0 };
const servers: Server[] = [];
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere');
  vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serving(answer: (request: IncomingMessage, body: Buffer) => string): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.end(answer(request, Buffer.concat(chunks))));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

/** What AWS's documentation says of a signature in headers: whether the request was signed with that secret, for `lambda`. */
function isSignedWith(
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  secret: string,
  region: string,
): boolean {
  const { authorization = '' } = headers;
  const parts = /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
    authorization,
  );
  if (parts === null) return false;
  const [, day = '', scope = '', names = '', signature = ''] = parts;
  if (scope !== `${region}/lambda/aws4_request` || !names.split(';').includes('host')) return false;
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url, '', signed.join(''), names, sha256(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], `${day}/${scope}`, sha256(canonical)].join('\n');
  const key = [region, 'lambda', 'aws4_request'].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, day));
  return hmac(key, text).toString('hex') === signature;
}

const post = (url: string, body = '{"ü":1}') =>
  functionAddresses({ base: url, of: {}, signer: (origin) => awsSigner(origin, clock) })('vm').http.request({
    method: 'POST',
    path: '/v1/reconcile/vm',
    headers: { 'content-type': 'application/json', 'x-virt-functions-id': 'd-1' },
    body: new TextEncoder().encode(body),
    timeoutMs: 60_000,
  });

test('requests bear a signature that AWS would accept, for the very bytes that were sent', async () => {
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret');
  const seen: unknown[] = [];
  const url = await serving((request, body) => {
    seen.push(isSignedWith(request, body, 'a-secret', 'eu-west-1'), request.headers['x-amz-date'], body.toString());
    seen.push(isSignedWith(request, Buffer.from('other'), 'a-secret', 'eu-west-1'));
    return 'ok';
  });
  expect((await post(url)).status).toBe(200);
  expect(seen).toEqual([true, '20260102T030405Z', '{"ü":1}', false]);
});

test("a service account's token is exchanged for credentials (IRSA), once for many requests", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'irsa-'));
  writeFileSync(join(folder, 'token'), 'a-token');
  let exchanges = 0;
  const sts = await serving((_, body) => {
    exchanges++;
    const asked = new URLSearchParams(body.toString());
    expect([asked.get('Action'), asked.get('RoleArn'), asked.get('WebIdentityToken')]).toEqual([
      'AssumeRoleWithWebIdentity',
      'arn:aws:iam::123456789012:role/relay',
      'a-token',
    ]);
    const credentials = `<AccessKeyId>AKID</AccessKeyId><SecretAccessKey>of-the-role</SecretAccessKey><SessionToken>session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>`;
    return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials><AssumedRoleUser><Arn>a</Arn><AssumedRoleId>b</AssumedRoleId></AssumedRoleUser></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
  });
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ROLE_ARN', 'arn:aws:iam::123456789012:role/relay');
  vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', join(folder, 'token'));
  vi.stubEnv('AWS_ENDPOINT_URL_STS', sts);
  const seen: unknown[] = [];
  const url = await serving((request, body) => {
    seen.push(isSignedWith(request, body, 'of-the-role', 'eu-west-1'), request.headers['x-amz-security-token']);
    return 'ok';
  });
  const addresses = functionAddresses({ base: url, of: {}, signer: (origin) => awsSigner(origin, clock) });
  const request = { method: 'POST', path: '/v1/lease', headers: {}, body: '{}', timeoutMs: 60_000 };
  await addresses('lease').http.request(request);
  await addresses('lease').http.request(request);
  expect(seen).toEqual([true, 'session', true, 'session']);
  expect(exchanges).toBe(1);
  rmSync(folder, { recursive: true });
});

describe('the region', () => {
  test('is told by the address of a function URL', () => {
    expect(() => awsSigner('https://abc.lambda-url.eu-central-1.on.aws', clock)).not.toThrow();
  });

  test('or else by the environment; without either nothing is signed for nowhere', () => {
    expect(() => awsSigner('https://functions.example', clock)).toThrow('AWS_REGION');
  });
});

test('without credentials a request fails, and is not sent', async () => {
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  let requests = 0;
  const url = await serving(() => `${++requests}`);
  await expect(post(url)).rejects.toThrow();
  expect(requests).toBe(0);
});
