import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Listener } from '../../../../events/relay/serving/listener.ts';
import { healthRoutes, mainRoutes, type Told } from '../../../../events/relay/serving/routes.ts';
import { selfSigned } from '../support/self-signed.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const told: Told = {
  health: async () => ({
    status: 500,
    body: { apiserver: { connectivity: 'failed', error: 'down' }, 'config-resource-version': '' },
  }),
  leading: () => false,
  shadow: () => undefined,
  metrics: async () => ({ contentType: 'text/plain; version=0.0.4', text: 'a 1\n' }),
};

let folder: string;
let listener: Listener | undefined;
const time = new VirtualTime();
const files = () => ({ certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') });

function listen(listenOn?: string): Listener {
  listener = new Listener({ listen: listenOn, files: files(), lookEveryMs: 20, log: time.ports.log });
  return listener;
}

function writePair(name: string): void {
  const { cert, key } = selfSigned(name);
  writeFileSync(files().certFile, cert);
  writeFileSync(files().keyFile, key);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listener-'));
});
afterEach(() => {
  listener?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('without certificate', () => {
  test('plain HTTP on the loopback interface; the health port knows no metrics', async () => {
    const l = listen();
    expect([l.scheme, l.address]).toEqual(['http', '127.0.0.1']);
    const main = `http://127.0.0.1:${await l.serve(mainRoutes(told), 0)}`;
    const health = `http://127.0.0.1:${await l.serve(healthRoutes(told), 0)}`;
    const metrics = await fetch(`${main}/metrics`);
    expect([metrics.status, metrics.headers.get('content-type'), await metrics.text()]).toEqual([
      200,
      'text/plain; version=0.0.4',
      'a 1\n',
    ]);
    expect((await fetch(`${health}/metrics`)).status).toBe(404);
    for (const base of [main, health]) {
      const leader = await fetch(`${base}/leader`);
      expect([leader.status, await leader.text()]).toEqual([200, '{"apiserver":{"leader":"false"}}']);
      const healthz = await fetch(`${base}/healthz`);
      expect([healthz.status, await healthz.json()]).toEqual([
        500,
        { apiserver: { connectivity: 'failed', error: 'down' }, 'config-resource-version': '' },
      ]);
    }
  });

  test('a port that is taken is an error', async () => {
    const port = await listen().serve(healthRoutes(told), 0);
    const other = new Listener({ listen: '127.0.0.1', files: files(), log: time.ports.log });
    await expect(other.serve(healthRoutes(told), port)).rejects.toThrow('EADDRINUSE');
    other.close();
  });
});

describe('with both files', () => {
  test('HTTPS on every address; later connections get the files’ new certificate', async () => {
    writePair('first.example');
    const l = listen();
    expect([l.scheme, l.address]).toEqual(['https', '0.0.0.0']);
    const port = await l.serve(mainRoutes(told), 0);
    expect(await seenAt(port)).toMatchObject({ name: 'first.example', status: 200 });
    writePair('second.example');
    while ((await seenAt(port)).name !== 'second.example') await sleep(20);
    // A pair that does not fit is not taken.
    writeFileSync(files().keyFile, selfSigned('other.example').key);
    await sleep(100);
    expect(await seenAt(port)).toMatchObject({ name: 'second.example' });
  });

  test('the configuration says which versions are spoken', async () => {
    writePair('first.example');
    const l = listen('127.0.0.1');
    const port = await l.serve(mainRoutes(told), 0);
    expect((await seenAt(port, 'TLSv1.2')).version).toBe('TLSv1.2');
    l.configure({ minVersion: 'TLSv1.3' });
    await expect(seenAt(port, 'TLSv1.2')).rejects.toThrow(/alert|EPROTO|protocol/i);
    expect((await seenAt(port)).version).toBe('TLSv1.3');
  });
});

/** What a client sees that opens a new connection. */
function seenAt(port: number, maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3') {
  return new Promise<{ name: string; version: string | null; status: number | undefined }>((resolve, reject) => {
    const agent = new Agent({ keepAlive: false, rejectUnauthorized: false, maxVersion, maxCachedSessions: 0 });
    request({ host: '127.0.0.1', port, path: '/leader', agent }, (response) => {
      const socket = response.socket as TLSSocket;
      const { CN } = socket.getPeerCertificate().subject;
      resolve({ name: String(CN), version: socket.getProtocol(), status: response.statusCode });
      response.resume();
    })
      .once('error', reject)
      .end();
  });
}
