/**
 * Locks between processes that end with their holder, however it ends.
 *
 * A lock is a listening socket in Linux' abstract namespace: the kernel frees the name when the process is gone, so
 * there are no stale lock files to judge. Whoever connects is told the holder's process id.
 */
import { connect, createServer, type Server } from 'node:net';

export interface Lock {
  release(): Promise<void>;
}

export type Acquired =
  | { readonly kind: 'held'; readonly lock: Lock }
  /** `pid`: the holder's process id, where it answered. */
  | { readonly kind: 'taken'; readonly pid: number | undefined };

/** Takes the lock of that name (at most 100 bytes), or says who has it. */
export async function tryLockName(name: string): Promise<Acquired> {
  const address = `\0virt-functions/${name}`;
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(`${process.pid}\n`);
  });
  if (!(await listens(server, address))) return { kind: 'taken', pid: await holder(address) };
  server.unref();
  const release = (): Promise<void> => new Promise((done) => server.close(() => done()));
  return { kind: 'held', lock: { release } };
}

function listens(server: Server, address: string): Promise<boolean> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(false) : fail(error)));
    server.listen(address, () => done(true));
  });
}

function holder(address: string): Promise<number | undefined> {
  return new Promise((done) => {
    let text = '';
    const socket = connect(address);
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => done(Number.parseInt(text, 10) || undefined));
  });
}
