// File descriptors leak on each reconnect (kubernetes-client/javascript PR 2904).
import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KindCache } from '../../events/relay/cache/kind-cache.ts';
import { KubeApi } from '../../events/relay/kube/api.ts';
import { KubeHttp } from '../../events/relay/kube/http.ts';
import { Reflector } from '../../events/relay/reflector/reflector.ts';
import { Pod } from '../../functions/core/kinds.ts';
import { fastPorts } from '../events/relay/support/fast-ports.ts';
import { pod } from '../events/relay/support/objects.ts';
import { plainKubeConfig, WatchServer } from '../events/relay/support/watch-server.ts';

const RECONNECTS = 1000;
/** Time limits and pauses of the reflector pass so much faster. */
const SPEED = 5000;
let server: WatchServer;
let http: KubeHttp;
beforeAll(async () => {
  server = await WatchServer.start();
  http = new KubeHttp(plainKubeConfig(server.port));
});
afterAll(async () => {
  await http.close();
  server.stop();
});

const openDescriptors = () => readdirSync('/proc/self/fd').length;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(1);
}

/** Ways in which a watch ends, or does not begin. */
const ends: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'the server ends it': (response) => response.end(),
  'the connection is reset': (response) => response.destroy(),
  'it is refused': (response) => {
    response.statusCode = 500;
    response.end('{"message":"not now"}');
  },
  'it breaks within an event': (response) => {
    response.write('{"type":"ADD');
    response.end();
  },
  'it brings what can not be read': (response) => response.write('no event\n'),
  // The reflector cuts it: 55 s by its own clock.
  'it goes silent': (response) => response.flushHeaders(),
};

test.runIf(process.platform === 'linux')('a thousand forced reconnects leave as many open as before', async () => {
  server.put(pod('a', 0));
  const ports = fastPorts(SPEED);
  const cache = new KindCache(Pod);
  const reflector = new Reflector(cache, new KubeApi(http, ports.timers, () => Promise.resolve()), ports);
  reflector.start(1);
  await until(() => server.watches.size === 1);
  const before = openDescriptors();

  const ways = Object.values(ends);
  server.instead = (response) => {
    if (server.opened > RECONNECTS) return false;
    ways[server.opened % ways.length]?.(response);
    return true;
  };
  for (const response of server.watches) response.destroy();
  await until(() => server.opened > RECONNECTS && server.watches.size === 1);
  server.put(pod('b', 0));
  await until(() => cache.get('ns/b') !== undefined);
  // What the pool keeps for a next request is closed after a few seconds.
  await sleep(6_000);
  expect(Math.abs(openDescriptors() - before)).toBeLessThanOrEqual(5);
  reflector.stop();
});

test.runIf(process.platform === 'linux')(
  'watches of many kinds, and requests beside them, share few connections',
  async () => {
    const before = openDescriptors();
    const request = { method: 'GET', path: '/x', headers: {}, timeoutMs: 10_000 };
    for (let i = 0; i < 50; i++) await Promise.all(Array.from({ length: 40 }, () => http.request(request)));
    // Both ends are in this process.
    expect(openDescriptors() - before).toBeLessThanOrEqual(2 * 16 + 5);
  },
);
