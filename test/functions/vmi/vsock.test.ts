import { describe, expect, test } from 'vitest';
import type { Grants, Needs } from '../../../functions/core/needs.ts';
import { handedOver, runningPod, vmi } from './fixtures.ts';
import { worldOf } from './worlds.ts';

const spec = { domain: { devices: { autoattachVSOCK: true } } };
const granted: Grants = { vsock: { type: 'granted', id: 77 } };

describe('vmi case 32: VSOCK at the hand-over', () => {
  test('the VMI gets an id with its phase', () => {
    const world = worldOf(vmi('Scheduling', { spec }), runningPod());
    const asked: Needs[] = [];
    world.grant = (needs) => {
      asked.push(needs);
      return granted;
    };
    expect(world.pass().type).toBe('done');
    expect(world.status).toMatchObject({ phase: 'Scheduled', VSOCKCID: 77 });
    world.settle();
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['the table can not be reached', undefined],
    ['all ids are taken', { vsock: { type: 'exhausted' } }],
  ] as const)('nothing is written, and tried again: %s', (_, answer) => {
    const world = worldOf(vmi('Scheduling', { spec }), runningPod());
    const before = world.vmi;
    world.grant = () => answer;
    expect(world.pass().type).toBe('retry');
    expect(world.vmi).toEqual(before);
    world.grant = () => granted;
    world.pass();
    expect(world.status.VSOCKCID).toBe(77);
  });
});

test('ids that other VMIs bear are in use, whatever the table knows', () => {
  const other = handedOver('Running', {
    metadata: { name: 'other', namespace: 'elsewhere', uid: 'other' },
    status: { VSOCKCID: 1234567 },
  });
  const world = worldOf(vmi('Scheduling', { spec }), runningPod(), other);
  let asked: Needs | undefined;
  world.grant = (needs) => {
    asked = needs;
    return granted;
  };
  world.pass();
  expect(asked).toEqual({ vsock: { inUse: [1234567] } });
});

test('nothing is asked for without VSOCK, before the hand-over, or for a VMI that bears an id', () => {
  for (const objects of [
    [vmi('Scheduling'), runningPod()],
    [vmi('Pending', { spec })],
    [vmi('Scheduling', { spec, status: { VSOCKCID: 5 } }), runningPod()],
  ]) {
    const world = worldOf(...objects);
    let asks = 0;
    world.grant = () => {
      asks++;
      return undefined;
    };
    world.settle();
    expect(asks).toBe(0);
  }
});
