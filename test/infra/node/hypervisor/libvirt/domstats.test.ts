import { expect, test } from 'vitest';
import { parseDomstats } from '../../../../../infra/node/hypervisor/libvirt/domstats.ts';

const block = (name: string, state: number, reason: number) =>
  `Domain: '${name}'\n  state.state=${state}\n  state.reason=${reason}\n\n`;

test('states and reasons of domains', () => {
  const text = [
    block('ns_running', 1, 1),
    block('ns_paused', 3, 1),
    block('ns_panicked', 6, 1),
    block('ns_shutdown', 5, 1),
    block('ns_destroyed', 5, 2),
    block('ns_crashed', 5, 3),
    block('ns_failed', 5, 6),
    block('ns_unknown', 5, 0),
  ].join('');
  expect(Object.fromEntries(parseDomstats(text))).toEqual({
    ns_running: { type: 'running' },
    ns_paused: { type: 'paused' },
    ns_panicked: { type: 'crashed' },
    ns_shutdown: { type: 'off', reason: 'shutdown' },
    ns_destroyed: { type: 'off', reason: 'destroyed' },
    ns_crashed: { type: 'off', reason: 'crashed' },
    ns_failed: { type: 'off', reason: 'failed' },
    ns_unknown: { type: 'off', reason: 'unknown' },
  });
});

test('no domains', () => {
  expect(parseDomstats('').size).toBe(0);
});
