import { describe, expect, it } from 'vitest';
import { semanticallyEqual } from '../../../functions/core/semantic-equal.ts';
import type { TypeRef } from '../../../functions/core/written-form/members.ts';

function both(a: unknown, b: unknown, type: TypeRef): boolean {
  const there = semanticallyEqual(a, b, type);
  expect(semanticallyEqual(b, a, type)).toBe(there);
  return there;
}

describe('semantic equality (vmi.md 3.6, vm.md 3.3)', () => {
  it('absent and empty lists and maps are equal', () => {
    expect(both(undefined, {}, '{}s')).toBe(true);
    expect(both(null, [], '[]Toleration')).toBe(true);
    expect(both({}, { conditions: [], activePods: {} }, 'VirtualMachineInstanceStatus')).toBe(true);
  });

  it('an empty text in a map or list is not nothing', () => {
    expect(both({ a: '' }, {}, '{}s')).toBe(false);
    expect(both({ a: '' }, { b: '' }, '{}s')).toBe(false);
    expect(both([''], [], '[]s')).toBe(false);
  });

  it('the order of lists counts', () => {
    expect(both([{ key: 'a' }, { key: 'b' }], [{ key: 'b' }, { key: 'a' }], '[]Toleration')).toBe(false);
  });

  it('quantities compare by value', () => {
    expect(both({ guest: '1024Mi' }, { guest: '1Gi' }, 'Memory')).toBe(true);
    expect(both({ guest: '1Gi' }, { guest: '1G' }, 'Memory')).toBe(false);
    expect(both({ requests: { cpu: '0.5' } }, { requests: { cpu: '500m' } }, 'ResourceRequirements')).toBe(true);
    expect(both({ guest: '0' }, {}, 'Memory')).toBe(false);
    expect(both({ capacity: '0' }, {}, 'EmptyDiskSource')).toBe(true);
    expect(both({ mask: '1024Mi' }, { mask: '1Gi' }, 'Realtime')).toBe(false);
  });

  it('times compare by instant, at full precision', () => {
    const at = (startTimestamp: string | null) => ({ startTimestamp });
    const type = 'VirtualMachineInstanceMigrationState';
    expect(both(at('2020-01-01T01:00:00+01:00'), at('2020-01-01T00:00:00Z'), type)).toBe(true);
    expect(both(at('2020-01-01T00:00:00.5Z'), at('2020-01-01T00:00:00Z'), type)).toBe(false);
    expect(both(at(null), {}, type)).toBe(true);
    expect(both(at('2020-01-01T00:00:00Z'), {}, type)).toBe(false);
  });

  it('for plain scalars absent equals zero, for nullable ones not', () => {
    expect(both({ created: false, observedGeneration: 0, runStrategy: '' }, {}, 'VirtualMachineStatus')).toBe(true);
    expect(both({ cores: 0 }, {}, 'CPU')).toBe(true);
    expect(both({ autoattachVSOCK: false }, {}, 'Devices')).toBe(false);
    expect(both({ terminationGracePeriodSeconds: 0 }, {}, 'VirtualMachineInstanceSpec')).toBe(false);
    expect(both({ runStrategy: '' }, {}, 'VirtualMachineSpec')).toBe(false);
  });

  it('an absent object and an empty one differ, but for objects that are always there', () => {
    expect(both({ cpu: {} }, {}, 'DomainSpec')).toBe(false);
    expect(both({ masquerade: {} }, { bridge: {} }, 'Interface')).toBe(false);
    expect(both({ devices: {}, resources: {} }, {}, 'DomainSpec')).toBe(true);
    expect(both(undefined, {}, 'Affinity')).toBe(false);
  });

  it('what a type leaves open compares as JSON', () => {
    expect(both({ port: 80 }, { port: '80' }, 'TCPSocketAction')).toBe(false);
    const type = 'MigrationConfiguration';
    expect(both({ experimental: { a: [1, { b: null }] } }, { experimental: { a: [1, {}] } }, type)).toBe(true);
    expect(both({ experimental: { a: [1] } }, { experimental: { a: [1, 2] } }, type)).toBe(false);
  });
});
