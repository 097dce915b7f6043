// Idle keep-alive connections are reset under the caller (pepr PR 3056).
import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import {
  IDLE_MS as FUNCTION_IDLE_MS,
  functionAddresses,
} from '../../events/relay/function-access/function-addresses.ts';
import { IDLE_MS as KUBE_IDLE_MS, KubeHttp } from '../../events/relay/kube/http.ts';
import type { Http } from '../../events/relay/ports.ts';
import { Listener } from '../../events/relay/serving/listener.ts';
import { listen } from '../../functions/http/node-server.ts';
import { VirtualTime } from '../events/relay/support/virtual-time.ts';
import { plainKubeConfig } from '../events/relay/support/watch-server.ts';

/** Idle time of callers that we do not make, by common configuration. */
const CALLERS_IDLE_S = 65;
/** How long a Kubernetes API server keeps an idle connection, by its source's default. */
const API_SERVER_IDLE_MS = 90_000;

/** What a server says it keeps an idle connection for, in seconds. */
async function keepAliveOf(port: number): Promise<number> {
  const request = get({ host: '127.0.0.1', port, path: '/', headers: { connection: 'keep-alive' } });
  const [response] = (await once(request, 'response')) as [{ headers: Record<string, string>; resume(): void }];
  response.resume();
  request.destroy();
  return Number(/timeout=(\d+)/.exec(response.headers['keep-alive'] ?? '')?.[1]);
}

describe('our servers keep idle connections for longer than their callers', () => {
  test('functions', async () => {
    const server = await listen({ fetch: () => new Response() }, { port: 0, timeLimitMs: 1_000, clock: Date.now });
    const seconds = await keepAliveOf(server.port);
    await server.stop();
    expect(seconds).toBeGreaterThan(CALLERS_IDLE_S);
    expect(seconds * 1000).toBeGreaterThan(FUNCTION_IDLE_MS);
  });

  test('metrics and health of the relay', async () => {
    const { log } = new VirtualTime().ports;
    const listener = new Listener({ listen: '127.0.0.1', files: { certFile: '/none', keyFile: '/none' }, log });
    const seconds = await keepAliveOf(await listener.serve(new Hono(), 0));
    listener.close();
    expect(seconds).toBeGreaterThan(CALLERS_IDLE_S);
  });
});

test('towards the API server the relay gives up an idle connection first', () => {
  expect(KUBE_IDLE_MS).toBeLessThan(API_SERVER_IDLE_MS);
});

describe('a server that keeps idle connections for 3 s, as it says', () => {
  const KEPT_MS = 3_000;
  const clients: Readonly<Record<string, (port: number) => Http>> = {
    'towards functions': (port) => functionAddresses({ base: `http://127.0.0.1:${port}`, of: {} })('vm').http,
    'towards the API server': (port) => new KubeHttp(plainKubeConfig(port)),
  };

  test.each(Object.entries(clients))('%s: a connection idle for longer is never used again', async (_, client) => {
    const usedAt = new WeakMap<Socket, number>();
    const connections = new Set<Socket>();
    // Closes nothing in time: a request that comes too late meets the reset that it would meet in the worst moment.
    const server: Server = createServer({ keepAliveTimeout: 0 }, ({ socket }, response) => {
      if (performance.now() - (usedAt.get(socket) ?? Infinity) > KEPT_MS) return void socket.resetAndDestroy();
      connections.add(socket);
      response.setHeader('keep-alive', `timeout=${KEPT_MS / 1000}`).end('ok');
      return usedAt.set(socket, performance.now());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const http = client((server.address() as AddressInfo).port);
    const request = { method: 'POST', path: '/', headers: {}, body: '{}', timeoutMs: 5_000 };
    for (const idleMs of [0, 100, 900, 1_100, 2_990, 3_010, 4_500]) {
      await sleep(idleMs);
      expect((await http.request(request)).status).toBe(200);
    }
    // And what is idle for a short time only is used again.
    expect(connections.size).toBeLessThan(7);
    server.closeAllConnections();
    server.close();
  });
});
