import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SlotNeed } from '../../../functions/core/needs.ts';
import { admit, type SlotHolders, type SnapshotMoment } from '../../../functions/store/slots.ts';

const now: SnapshotMoment = { token: 7, listedToken: 7, atMs: 1000 };
const limits = { perCluster: 3, perNode: 2 };

function claim(uid: string, need: Partial<SlotNeed> = {}, snapshot: Partial<SnapshotMoment> = {}) {
  const whole: SlotNeed = { node: 'n1', running: [], unfinished: [uid], limits, ...need };
  return { uid, need: whole, snapshot: { ...now, ...snapshot } };
}
const holder = (node: string, atMs = 900, token = 7) => ({ node, admittedAtMs: atMs, token });
const unfinished = ['a', 'b', 'c', 'd'];

describe('limits', () => {
  test('of the cluster, over holders and running migrations together, none counted twice', () => {
    const holders: SlotHolders = { a: holder('n2'), b: holder('n3') };
    const running = [
      { uid: 'b', node: 'n3' },
      { uid: 'c', node: 'n4' },
    ];
    expect(admit(holders, claim('d', { running, unfinished })).grant).toEqual({ type: 'full', limit: 'perCluster' });
    expect(admit(holders, claim('d', { running: [{ uid: 'b', node: 'n3' }], unfinished })).grant.type).toBe('admitted');
  });

  test('of a node, as the snapshot knows it', () => {
    const holders: SlotHolders = { a: holder('n1') };
    const from = (node: string) => claim('d', { running: [{ uid: 'b', node }], unfinished });
    expect(admit(holders, from('n1')).grant).toEqual({ type: 'full', limit: 'perNode' });
    expect(admit(holders, from('n2')).grant.type).toBe('admitted');
  });

  test('whoever has a slot keeps it', () => {
    const holders: SlotHolders = { a: holder('n1'), b: holder('n1'), c: holder('n2') };
    expect(admit(holders, claim('a', { unfinished })).grant.type).toBe('admitted');
  });
});

describe('a holder that the snapshot does not show as unfinished', () => {
  const gone = claim('d', { unfinished: ['d'] });
  const held = (atMs: number, token: number) =>
    Object.keys(admit({ a: holder('n1', atMs, token) }, gone).holders).includes('a');

  test.each([
    ['goes: the snapshot is younger than its admission', 999, 7, false],
    ['goes: all was listed anew since', 5000, 6, false],
    ['stays: it was admitted at the same moment', 1000, 7, true],
    ['stays: it was admitted later', 1001, 7, true],
  ])('%s', (_, atMs, token, stays) => {
    expect(held(atMs, token)).toBe(stays);
  });

  test('stays: the lists are from before its token', () => {
    const old = claim('d', { unfinished: ['d'] }, { token: 7, listedToken: 6 });
    expect(Object.keys(admit({ a: holder('n1', 5000, 6) }, old).holders)).toContain('a');
  });
});

test('whatever asks in whatever order, the limits hold', () => {
  const uid = fc.integer({ min: 0, max: 12 }).map(String);
  const node = fc.constantFrom('n1', 'n2', 'n3');
  fc.assert(
    fc.property(fc.array(fc.tuple(uid, node)), (asks) => {
      const all = asks.map(([id]) => id);
      let holders: SlotHolders = {};
      for (const [i, [id, from]] of asks.entries()) {
        holders = admit(holders, claim(id, { node: from, unfinished: all }, { atMs: 1000 + i })).holders;
        const nodes = Object.values(holders).map((h) => h.node);
        expect(nodes.length).toBeLessThanOrEqual(limits.perCluster);
      }
    }),
  );
});
