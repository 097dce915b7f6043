import { createServer } from 'node:net';
import { ProcessCrashed } from '../processes/managed-process.ts';

const portAttempts = 5;

/**
 * A loopback port that is free now. Another process may take it before it is used: who uses it must be ready to ask
 * for another.
 */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => done(port));
    });
  });
}

/** Starts a part on a free port, again on another one when the port was taken in between. */
export async function withFreePort<T>(startOn: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOn(await freePort());
    } catch (error) {
      const taken = error instanceof ProcessCrashed && error.message.includes('address already in use');
      if (!taken || attempt === portAttempts) throw error;
    }
  }
}
