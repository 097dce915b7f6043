import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { connect, createServer } from 'node:net';

export interface DataLock {
  release(): Promise<void>;
}

/**
 * Holds a data folder for one agent: guests and images must not be looked after by two. The lock is a listening socket in Linux'
 * abstract namespace, which ends with its process, however that ends. Throws when another process has it.
 */
export async function lockDataFolder(folder: string): Promise<DataLock> {
  const path = realpathSync(folder);
  const address = `\0virt-functions/node/${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(String(process.pid));
  });
  const taken = await new Promise<boolean>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(true) : fail(error)));
    server.listen(address, () => done(false));
  });
  if (taken)
    throw new Error(`data folder ${path} is in use by another node agent (process ${await holderOf(address)})`);
  server.unref();
  return { release: () => new Promise((done) => server.close(() => done())) };
}

/** Its process id, where it tells. */
function holderOf(address: string): Promise<string> {
  return new Promise((done) => {
    let text = '';
    const socket = connect(address);
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => done(text === '' ? 'unknown' : text));
  });
}
