import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ApiError, kubeRequest } from '../../../infra/local/kube-client.ts';
import { selfSigned } from '../../events/relay/support/self-signed.ts';

interface Refusal {
  readonly status: number;
  readonly retryAfter?: string;
}

/** A client of a server that refuses with each of `refusals` in turn, and then answers. */
async function clientOf(refusals: readonly Refusal[]) {
  const { cert, key } = selfSigned('localhost');
  const asked: string[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const refusal = refusals[asked.push(`${request.method} ${request.url}`) - 1];
    if (refusal === undefined) return response.end('{"kind":"Answer"}');
    const headers = refusal.retryAfter === undefined ? {} : { 'retry-after': refusal.retryAfter };
    return response.writeHead(refusal.status, headers).end('{"reason":"Refused","message":"come again"}');
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const request = kubeRequest({
    server: `https://localhost:${port}`,
    token: 't',
    certificateAuthority: cert,
  });
  return { request, asked };
}

test.each([429, 503])('a refusal of %i that asks to come again is waited out', async (status) => {
  const { request, asked } = await clientOf([
    { status, retryAfter: '0' },
    { status, retryAfter: '0' },
  ]);
  expect(await request('POST', '/apis', { a: 1 })).toEqual({ kind: 'Answer' });
  expect(asked).toEqual(['POST /apis', 'POST /apis', 'POST /apis']);
});

test.each([{ status: 503 }, { status: 500, retryAfter: '0' }, { status: 409, retryAfter: '0' }])(
  'any other refusal is told at once: %o',
  async (refusal) => {
    const { request, asked } = await clientOf([refusal]);
    const error = await request('GET', '/api').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: refusal.status, reason: 'Refused' });
    expect(asked).toHaveLength(1);
  },
);

test('ten refusals are enough', async () => {
  const { request, asked } = await clientOf(Array.from({ length: 20 }, () => ({ status: 503, retryAfter: '0' })));
  await expect(request('GET', '/api')).rejects.toThrow('503 come again');
  expect(asked).toHaveLength(10);
});
