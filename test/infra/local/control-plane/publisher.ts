/** A local server that publishes the control plane's programs as their makers do. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type PartName, partNames } from '../../../../infra/local/control-plane/parts.ts';
import { partScript, rightVersions } from './fake-parts.ts';

/** How a file goes wrong: other bytes than the checksum says, or the connection breaks off half way. */
export type Fault = 'wrong' | 'truncated';

const processor = process.arch === 'arm64' ? 'arm64' : 'amd64';

/** Serves until the test ends; returns the base URL. */
export async function publish(scratch: string, faults: Partial<Record<PartName, Fault>> = {}): Promise<string> {
  const files = new Map<string, { readonly body: Buffer; readonly fault?: Fault | undefined }>();
  for (const name of partNames) {
    const body =
      name === 'etcd' ? etcdArchive(scratch) : Buffer.from(`#!/bin/sh\n${partScript(name, rightVersions[name])}\n`);
    const file = `etcd-v3.6.13-linux-${processor}.tar.gz`;
    const path = name === 'etcd' ? `/etcd/v3.6.13/${file}` : `/v1.36.3/bin/linux/${processor}/${name}`;
    files.set(path, { body, fault: faults[name] });
    if (name === 'etcd') {
      const sums = `${hash('sha256', Buffer.from('other'))}  etcd-v3.6.13-darwin.zip\n${hash('sha256', body)}  ${file}\n`;
      files.set('/etcd/v3.6.13/SHA256SUMS', { body: Buffer.from(sums) });
    } else {
      files.set(`${path}.sha512`, { body: Buffer.from(hash('sha512', body)) });
    }
  }
  const server = createServer((request, response) => {
    const found = files.get(request.url ?? '');
    if (!found) response.writeHead(404).end();
    else send(response, found.body, found.fault);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function send(response: ServerResponse, body: Buffer, fault: Fault | undefined): void {
  if (fault === 'wrong') response.end(Buffer.from(body.map((byte, index) => (index === 0 ? byte ^ 1 : byte))));
  else if (fault === 'truncated') {
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  } else response.end(body);
}

function etcdArchive(scratch: string): Buffer {
  const top = `etcd-v3.6.13-linux-${processor}`;
  mkdirSync(join(scratch, 'publish', top), { recursive: true });
  writeFileSync(join(scratch, 'publish', top, 'etcd'), `#!/bin/sh\n${partScript('etcd', rightVersions.etcd)}\n`, {
    mode: 0o755,
  });
  writeFileSync(join(scratch, 'publish', top, 'README.md'), 'text');
  const archive = join(scratch, 'publish', 'etcd.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', join(scratch, 'publish'), top]);
  return readFileSync(archive);
}

function hash(algorithm: string, body: Buffer): string {
  return createHash(algorithm).update(body).digest('hex');
}
