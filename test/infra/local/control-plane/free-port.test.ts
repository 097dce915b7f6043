import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { withFreePort } from '../../../../infra/local/control-plane/free-port.ts';
import { ProcessCrashed } from '../../../../infra/local/processes/managed-process.ts';

/** As kube-apiserver and the others say it. */
const taken = (port: number): ProcessCrashed =>
  new ProcessCrashed('p', 'ended with code 1', [`listen tcp 127.0.0.1:${port}: bind: address already in use`]);

test('a free port can be listened on', async () => {
  const listened = await withFreePort(async (port) => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    const address = server.address() as AddressInfo;
    server.close();
    return address.port === port;
  });
  expect(listened).toBe(true);
});

test('a port that was taken in between is replaced by another', async () => {
  let attempts = 0;
  const result = await withFreePort(async (port) => {
    attempts += 1;
    if (attempts < 3) throw taken(port);
    return 'started';
  });
  expect(result).toBe('started');
});

test('any other failure, and one port after another being taken, end it', async () => {
  await expect(withFreePort(async () => Promise.reject(new ProcessCrashed('p', 'broke', [])))).rejects.toThrow('broke');
  await expect(withFreePort(async (port) => Promise.reject(taken(port)))).rejects.toThrow('already in use');
});
