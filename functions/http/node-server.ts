import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import type { Clock } from './clock.ts';
import type { FunctionApp } from './signed-app.ts';

/** Longer than callers keep theirs open, so that it is never the server who closes a connection that is about to be used. */
const KEEP_ALIVE_MS = 75_000;
/** How long requests may still take after the signal to stop. */
const GRACE_MS = 10_000;

export interface ListenOptions {
  /** 0: any free one. */
  readonly port: number;
  /** For one request. */
  readonly timeLimitMs: number;
  readonly clock: Clock;
}

export interface Listening {
  readonly port: number;
  /** Takes no new requests, lets those under way end, for 10 s at most. */
  stop(): Promise<void>;
}

/** Serves a function on the loopback interface. */
export async function listen(app: FunctionApp, { port, timeLimitMs, clock }: ListenOptions): Promise<Listening> {
  const { promise: address, resolve, reject } = Promise.withResolvers<AddressInfo>();
  const server = serve(
    { fetch: (request) => app.fetch(request, { deadlineMs: clock() + timeLimitMs }), hostname: '127.0.0.1', port },
    resolve,
  ) as Server;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 5_000;
  server.once('error', reject);
  return { port: (await address).port, stop: () => stop(server) };
}

/** Runs until SIGTERM or SIGINT; prints one line of JSON with the port when it listens. */
export async function listenUntilSignal(app: FunctionApp, options: ListenOptions): Promise<void> {
  const listening = await listen(app, options);
  process.stdout.write(`${JSON.stringify({ ready: true, port: listening.port })}\n`);
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  await listening.stop();
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Connections whose last request ends only now stay open for the next one, unless they are closed here.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
