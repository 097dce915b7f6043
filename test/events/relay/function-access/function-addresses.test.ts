import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { MAX_BODY_BYTES } from '../../../../events/envelope/limits.ts';
import { functionAddresses } from '../../../../events/relay/function-access/function-addresses.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server of functions that answers as told; its address. */
async function serving(answer: (path: string, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => answer(request.url ?? '', response));
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ask = (addresses: ReturnType<typeof functionAddresses>, name: string, timeoutMs = 60_000) =>
  addresses(name).http.request({ method: 'POST', path: `/v1/${name}`, headers: {}, body: '{}', timeoutMs });

test('an answer without end is not read to its end', async () => {
  let writtenBytes = 0;
  const url = await serving((_, response) => {
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const go = (): void => {
      while (!response.destroyed && response.write(chunk)) writtenBytes += chunk.length;
    };
    response.on('drain', go);
    go();
  });
  await expect(ask(functionAddresses({ base: url, of: {} }), 'vm')).rejects.toThrow('an answer of more than');
  // What lies in the sockets' buffers was written too.
  expect(writtenBytes).toBeLessThan(4 * MAX_BODY_BYTES);
});

test('the lease does not wait behind deliveries that are not answered', async () => {
  const url = await serving((path, response) => {
    if (path === '/v1/lease') response.end('{}');
  });
  const addresses = functionAddresses({ base: url, of: {} });
  const deliveries = Array.from({ length: 100 }, () => ask(addresses, 'vm', 20_000).catch(() => undefined));
  expect((await ask(addresses, 'lease', 10_000)).status).toBe(200);
  for (const server of servers) server.closeAllConnections();
  await Promise.all(deliveries);
});
