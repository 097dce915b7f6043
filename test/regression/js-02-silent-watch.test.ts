// The watch goes silent for ever (kubernetes-client/javascript issues 596, 364, 958, 1496).
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Caches } from '../../events/relay/cache/caches.ts';
import { KindCache } from '../../events/relay/cache/kind-cache.ts';
import { Healthz } from '../../events/relay/health/healthz.ts';
import { KubeApi } from '../../events/relay/kube/api.ts';
import { KubeHttp } from '../../events/relay/kube/http.ts';
import { Reflector } from '../../events/relay/reflector/reflector.ts';
import { Reflectors } from '../../events/relay/reflector/reflectors.ts';
import { Node, Pod } from '../../functions/core/kinds.ts';
import { fastPorts } from '../events/relay/support/fast-ports.ts';
import { pod } from '../events/relay/support/objects.ts';
import { ScriptedHttp } from '../events/relay/support/scripted-http.ts';
import { VirtualTime } from '../events/relay/support/virtual-time.ts';
import { plainKubeConfig, WatchServer } from '../events/relay/support/watch-server.ts';

describe('a connection that is half open', () => {
  const SPEED = 50;
  let server: WatchServer;
  let proxy: Server;
  const pairs = new Set<{ frozen: boolean; ends: readonly Socket[] }>();

  beforeAll(async () => {
    server = await WatchServer.start();
    proxy = createServer((client) => {
      const upstream = connect(server.port, '127.0.0.1');
      const pair = { frozen: false, ends: [client, upstream] };
      pairs.add(pair);
      client.on('data', (bytes) => pair.frozen || upstream.write(bytes));
      upstream.on('data', (bytes) => pair.frozen || client.write(bytes));
      for (const end of pair.ends) end.on('error', () => undefined);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });
  afterAll(() => {
    for (const { ends } of pairs) for (const end of ends) end.destroy();
    proxy.close();
    server.stop();
  });

  test('bytes are no longer forwarded, nothing is closed: noticed within a minute, resumed, nothing lost', async () => {
    for (const name of ['a', 'b']) server.put(pod(name, 0));
    const ports = fastPorts(SPEED);
    const http = new KubeHttp(plainKubeConfig((proxy.address() as AddressInfo).port));
    const cache = new KindCache(Pod);
    const reflector = new Reflector(cache, new KubeApi(http, ports.timers, () => Promise.resolve()), ports);
    reflector.start(1);
    const until = async (condition: () => boolean) => {
      for (let i = 0; i < 1000 && !condition(); i++) await sleep(10);
    };
    await until(() => reflector.healthy);
    server.put(pod('a', 0, { labels: { seen: 'before' } }));
    await until(() => cache.get('ns/a')?.metadata.labels?.['seen'] === 'before');

    for (const pair of pairs) pair.frozen = true;
    const frozenAt = ports.clock.monotonic();
    server.put(pod('a', 0, { labels: { seen: 'after' } }));
    server.put(pod('c', 0));
    server.delete('b');
    await until(() => cache.get('ns/a')?.metadata.labels?.['seen'] === 'after');
    expect(ports.clock.monotonic() - frozenAt).toBeLessThan(60_000 * 1.2);
    await until(() => cache.size === 2);
    expect([...cache.keys()].sort()).toEqual(['ns/a', 'ns/c']);
    expect(server.lists).toBe(1);
    reflector.stop();
    await http.close();
  });
});

describe('a server that takes a request and goes silent', () => {
  let silent: Server;
  const sockets = new Set<Socket>();
  let answer = '';
  beforeAll(async () => {
    silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write(answer));
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test.each([
    ['before its answer', ''],
    [
      'in the middle of the answer',
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"a',
    ],
  ])('%s: the request ends at its time limit', async (_, bytes) => {
    answer = bytes;
    const http = new KubeHttp(plainKubeConfig((silent.address() as AddressInfo).port));
    const request = { method: 'GET', path: '/x', headers: {}, timeoutMs: 200 };
    await expect(http.request(request)).rejects.toThrow(/timeout|aborted/);
    if (bytes === '') await expect(http.stream(request)).rejects.toThrow(/timeout|aborted/);
    await http.close();
  });
});

describe('with time at hand', () => {
  /** Two built-in kinds, and the definitions of the others. */
  async function following() {
    const http = new ScriptedHttp();
    const time = new VirtualTime();
    http.answer = ({ path }) => {
      const body = path === '/version' ? { major: '1' } : { metadata: { resourceVersion: '10' }, items: [] };
      return { status: 200, body };
    };
    const caches = new Caches();
    for (const kind of [Pod, Node]) caches.of(kind);
    const api = new KubeApi(http, time.ports.timers, () => Promise.resolve());
    const reflectors = new Reflectors(caches, api, time.ports, () => undefined);
    reflectors.start();
    await time.advance(0);
    const healthz = new Healthz(api, reflectors, () => '');
    return { http, time, healthz, lists: () => http.requests.filter((r) => r.path.includes('limit=')).length };
  }

  test('a silent watch is cut within a minute and resumed from its last version, also when it had events', async () => {
    const { http, time, lists } = await following();
    const watch = http.streams.find((s) => s.path.includes('/nodes'));
    await time.advance(30_000);
    watch?.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '42' } } });
    const open = http.streams.length;
    await time.advance(60_000);
    expect(watch?.cutBy).toBe('client');
    expect(http.streams.slice(open).find((s) => s.path.includes('/nodes'))?.path).toContain('resourceVersion=42');
    expect(lists()).toBe(3);
  });

  test('watches that the server ends in due time, and resumes: always well, however quiet', async () => {
    const { http, time, healthz } = await following();
    for (let minute = 0; minute < 10; minute++) {
      await time.advance(45_000);
      for (const stream of http.streams) if (stream.cutBy === 'nobody') stream.end();
      expect((await healthz.answer()).status).toBe(200);
    }
  });

  test('while one kind stays silent the relay is not well, and says which; then it is again', async () => {
    const { http, time, healthz } = await following();
    expect((await healthz.answer()).status).toBe(200);
    const stream = http.stream.bind(http);
    // Pods can not be watched any more: every new try is silent from its start.
    http.stream = (request) =>
      request.path.includes('/pods')
        ? new Promise((_, reject) => time.ports.timers.after(request.timeoutMs, () => reject(new Error('no answer'))))
        : stream(request);
    for (let i = 0; i < 3; i++) {
      await time.advance(45_000);
      for (const s of http.streams) if (s.cutBy === 'nobody' && !s.path.includes('/pods')) s.end();
    }
    const { status, body } = await healthz.answer();
    expect(status).toBe(500);
    expect(body.apiserver).toMatchObject({ error: expect.stringMatching(/^Pod: no word for \d+ s$/) as string });
    http.stream = stream;
    await time.advance(46_000);
    for (const s of http.streams)
      if (s.cutBy === 'nobody') s.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '11' } } });
    await time.advance(0);
    expect((await healthz.answer()).status).toBe(200);
  });
});
