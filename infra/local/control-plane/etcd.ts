import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { socketFolder } from '../paths.ts';

/** One member has no peers; these addresses only satisfy etcd's checks and its stored membership. */
const peer = 'http://127.0.0.1:2380';
const clientName = 'etcd-';
const randomBytesInName = 4;
const socketNameBytes = clientName.length + 2 * randomBytesInName + '.sock'.length;

/**
 * A new path for etcd's socket. It differs at each start: an etcd of an earlier stack that is just ending would
 * otherwise delete the new one's socket. What crashed stacks left is removed.
 */
export function newEtcdSocket(dataDir: string): string {
  const folder = socketFolder(dataDir, socketNameBytes);
  for (const name of readdirSync(folder)) if (name.startsWith(clientName)) rmSync(join(folder, name), { force: true });
  return join(folder, `${clientName}${randomBytes(randomBytesInName).toString('hex')}.sock`);
}

/** @param durable whether each write must reach the disk before it is answered. */
export function etcdArguments(dataFolder: string, socket: string, durable: boolean): string[] {
  return [
    '--name=virt-functions',
    `--data-dir=${dataFolder}`,
    `--listen-client-urls=unix://${socket}`,
    // Clients are told the socket by hand; this one is published to nobody.
    '--advertise-client-urls=http://127.0.0.1:2379',
    `--listen-peer-urls=unix://${socket}.peer`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=virt-functions=${peer}`,
    // There is no other member to wait for: the default of a second delays each start by that.
    '--heartbeat-interval=10',
    '--election-timeout=100',
    // Each version of an object stays for a while; without this, data that is kept grows with every heartbeat.
    '--auto-compaction-mode=periodic',
    '--auto-compaction-retention=1h',
    '--log-level=warn',
    ...(durable ? [] : ['--unsafe-no-fsync']),
  ];
}

/** Whether etcd serves reads and writes. */
export function isEtcdHealthy(socket: string): Promise<boolean> {
  return new Promise((done) => {
    const call = request({ socketPath: socket, path: '/health', timeout: 2000 }, (response) => {
      response.resume();
      done(response.statusCode === 200);
    });
    call.once('timeout', () => call.destroy());
    call.once('error', () => done(false));
    call.end();
  });
}
