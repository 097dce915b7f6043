import { expect, test } from 'vitest';
import { parseRelayFlags, type RelayFlags, usage } from '../../../events/relay/flags.ts';

function flags(...args: string[]): RelayFlags {
  const parsed = parseRelayFlags(['--functions', 'http://127.0.0.1:1', ...args]);
  if (parsed.type !== 'options') throw new Error(JSON.stringify(parsed));
  return parsed.options;
}

test('ports, addresses and files have virt-controller’s defaults', () => {
  expect(flags()).toMatchObject({
    listen: undefined,
    port: 8182,
    healthPort: 8443,
    certFile: '/etc/virt-controller/certificates/tls.crt',
    keyFile: '/etc/virt-controller/certificates/tls.key',
    verbosity: 2,
    concurrencyOf: {},
  });
  expect(flags('--listen', '0.0.0.0', '--port', '0', '--health-port=9443')).toMatchObject({
    listen: '0.0.0.0',
    port: 0,
    healthPort: 9443,
  });
});

test.each([[['-v', '4']], [['-v4']], [['-v=4']], [['--v=4']]])('verbosity by %o', (args) => {
  expect(flags(...args).verbosity).toBe(4);
});

test('threads of controllers, by the names of virt-controller’s flags', () => {
  const { concurrencyOf } = flags(
    '--vm-controller-threads',
    '7',
    '--rs-controller-threads=2',
    '--vmi-controller-threads=20',
  );
  expect(concurrencyOf).toEqual({ vm: 7, replicaset: 2, vmi: 20 });
  expect(usage).toContain('disruption-budget');
});

test.each([
  [['--vm-controller-threads', '0'], '--vm-controller-threads must be at least 1'],
  [['--vm-controller-threads', 'x'], '--vm-controller-threads takes a whole number'],
  [['--port', '70000'], '--port takes a whole number up to 65535'],
  [['--port', ''], '--port takes a whole number'],
  [['--quick-controller-threads', '1'], 'Unknown option'],
])('%o is refused', (args, message) => {
  const parsed = parseRelayFlags(['--functions', 'http://127.0.0.1:1', ...args]);
  expect(parsed).toMatchObject({ type: 'error', message: expect.stringContaining(message) as string });
});

test('a relay leads and signs by HMAC alone unless it is told otherwise', () => {
  expect(flags()).toMatchObject({ mode: 'lead', functionAuth: 'hmac', functionsFile: undefined });
  const shadow = flags('--mode=shadow', '--shadow-patience', '1m', '--shadow-for=2h', '--function-auth', 'iam');
  expect(shadow).toMatchObject({
    mode: 'shadow',
    functionAuth: 'iam',
    shadow: { patienceMs: 60_000, endAfterMs: 7_200_000 },
  });
  expect(parseRelayFlags(['--functions-file', 'x', '--mode', 'follow'])).toMatchObject({ type: 'error' });
  expect(parseRelayFlags([])).toMatchObject({ type: 'error' });
});
