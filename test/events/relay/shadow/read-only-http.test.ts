import { expect, test } from 'vitest';
import type { Http } from '../../../../events/relay/ports.ts';
import { readOnly } from '../../../../events/relay/shadow/read-only-http.ts';

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s does not leave', async (method) => {
  const sent: string[] = [];
  const http: Http = {
    request: (request) => {
      sent.push(request.method);
      return Promise.resolve({ status: 200, headers: {}, body: new Uint8Array() });
    },
    stream: () => Promise.reject(new Error('none')),
  };
  const request = { path: '/', headers: {}, timeoutMs: 1 };
  await expect(readOnly(http).request({ ...request, method })).rejects.toThrow('a shadow does not write');
  await readOnly(http).request({ ...request, method: 'GET' });
  expect(sent).toEqual(['GET']);
});
