import { expect, test } from 'vitest';
import { listen } from '../../../functions/http/node-server.ts';
import type { FunctionApp } from '../../../functions/http/signed-app.ts';

test('gives each request its deadline, and ends those under way before it stops', async () => {
  const begun = Promise.withResolvers<number>();
  const release = Promise.withResolvers<void>();
  const app: FunctionApp = {
    fetch: async (_, { deadlineMs }) => {
      begun.resolve(deadlineMs);
      await release.promise;
      return new Response('answer');
    },
  };
  const server = await listen(app, { port: 0, timeLimitMs: 700, clock: () => 1_000 });
  const answer = fetch(`http://127.0.0.1:${server.port}/`);
  expect(await begun.promise).toBe(1_700);
  const stopped = server.stop();
  release.resolve();
  expect(await (await answer).text()).toBe('answer');
  await stopped;
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();
});

test('a port that is taken is an error', async () => {
  const app: FunctionApp = { fetch: () => new Response() };
  const options = { timeLimitMs: 1, clock: Date.now };
  const first = await listen(app, { port: 0, ...options });
  await expect(listen(app, { port: first.port, ...options })).rejects.toThrow('EADDRINUSE');
  await first.stop();
});
