import { describe, expect, test } from 'vitest';
import { timestamp } from '../../../functions/core/context.ts';
import { responsiveness } from '../../../functions/node/heartbeat.ts';
import { UNSCHEDULABLE_ID } from '../../../functions/node/unschedulable.ts';
import { MINUTE_MS, NEXT_MINUTE, OLD, World } from './world.ts';

const nothingDone = (world: World) => {
  const before = world.objects;
  const outcome = world.pass();
  expect(world.objects).toEqual(before);
  expect(world.events).toEqual([]);
  return outcome;
};

describe('the heartbeat', () => {
  test('node case 1: fresh -> no write, looked at again after a minute', () => {
    expect(nothingDone(World.withNode({ beatAgeMs: 0, schedulable: 'true' }))).toEqual({ ...NEXT_MINUTE, actions: [] });
  });

  test('node case 2: old, schedulable, no VMI -> event, label, a minute', () => {
    const world = World.withNode({ schedulable: 'true' });
    const { actions, ...outcome } = world.pass();
    expect(outcome).toEqual(NEXT_MINUTE);
    expect(world.events).toEqual(['Node/n1 Normal NodeUnresponsive']);
    expect(world.schedulable).toBe('false');
    expect(world.node.metadata.labels?.['kubernetes.io/os']).toBe('linux');
    const patch = { type: 'strategic', body: { metadata: { labels: { 'kubevirt.io/schedulable': 'false' } } } };
    expect(actions).toMatchObject([{ verb: 'event' }, { verb: 'patch', target: { kind: 'Node', name: 'n1' }, patch }]);
  });

  test('node case 3: old, not schedulable, no VMI -> no write, no event', () => {
    expect(nothingDone(World.withNode())).toEqual({ ...NEXT_MINUTE, actions: [] });
  });

  test.each([
    ['4: no label', null],
    ['5: label `True`', 'True'],
  ])('node case %s -> not patched, VMIs are looked at', (_, schedulable) => {
    const world = World.withNode({ schedulable });
    world.addVmi('a', 'Running');
    world.addAgent();
    world.settle();
    expect(world.schedulable).toBe(schedulable ?? undefined);
    expect(world.state('a')).toBe('Failed NodeUnresponsive');
  });

  test('node case 6: five minutes are not too old, a second more is', () => {
    const atMost = World.withNode({ beatAgeMs: 5 * MINUTE_MS, schedulable: 'true' });
    nothingDone(atMost);
    atMost.later(1000);
    atMost.pass();
    expect(atMost.schedulable).toBe('false');
  });

  test.each([
    ['7: none', null],
    ['10: in the future', -OLD],
  ])('node case %s -> responsive', (_, beatAgeMs) => {
    expect(nothingDone(World.withNode({ beatAgeMs, schedulable: 'true' }))).toMatchObject(NEXT_MINUTE);
  });

  test.each([
    ['8: `yesterday`', 'yesterday'],
    ['9: empty', ''],
    ['8: a date without time', '2024-05-01'],
    ['8: the thirteenth month', '2024-13-01T00:00:00Z'],
    ['8: no time zone', '2024-05-01T10:00:00'],
  ])('node case %s -> no write, not looked at again (NODE-04)', (_, beatAgeMs) => {
    const world = World.withNode({ beatAgeMs, schedulable: 'true' });
    world.addVmi('a', 'Running');
    expect(nothingDone(world)).toEqual({ type: 'done', actions: [] });
  });

  test('times with a fraction or another zone are times', () => {
    const beat = (heartbeat: string) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n', annotations: { 'kubevirt.io/heartbeat': heartbeat } },
    });
    const now = Date.parse('2024-05-01T10:00:00Z');
    expect(responsiveness(beat('2024-05-01T12:00:00.123456789+02:00'), now)).toBe('responsive');
    expect(responsiveness(beat('2024-05-01T10:00:00+02:00'), now)).toBe('unresponsive');
  });

  test('node case 11: the label cannot be set -> error, VMIs are not looked at, event with each try', () => {
    const world = World.withNode({ schedulable: 'true' });
    world.addVmi('a', 'Running');
    world.addAgent();
    world.refuse(UNSCHEDULABLE_ID);
    world.pass();
    expect(world.pass()).toMatchObject({ type: 'retry', actions: [] });
    world.pass();
    expect(world.events).toEqual(['Node/n1 Normal NodeUnresponsive', 'Node/n1 Normal NodeUnresponsive']);
    expect(world.state('a')).toBe('Running');
    world.cluster.refuse.clear();
    world.pass();
    world.settle();
    expect(world.state('a')).toBe('Failed NodeUnresponsive');
  });

  test('node case 38: the agent comes back and sets the label itself', () => {
    const world = World.withNode({ schedulable: 'true' });
    world.settle();
    world.later(MINUTE_MS);
    world.beat();
    const before = world.objects;
    expect(world.settle()).toMatchObject(NEXT_MINUTE);
    expect(world.objects).toEqual(before);
    expect(world.schedulable).toBe('true');
  });

  test('node case 39: a stale cache repeats patch and event, without harm', () => {
    const world = World.withNode({ schedulable: 'true' });
    world.cluster.holdWatch('Node', 'blind');
    world.pass();
    const after = world.node;
    world.pass();
    expect(world.node).toEqual(after);
    world.cluster.releaseWatch('Node');
    expect(world.settle().actions).toEqual([]);
    expect(timestamp(world.cluster.nowMs)).not.toBe(after.metadata.annotations?.['kubevirt.io/heartbeat']);
  });
});
