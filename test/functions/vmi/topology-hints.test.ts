import { describe, expect, test } from 'vitest';
import { tscNode } from '../rules/tsc/objects.ts';
import { configuration, pod, vmi } from './fixtures.ts';
import { worldOf } from './worlds.ts';

const invtsc = { devices: {}, cpu: { features: [{ name: 'invtsc', policy: 'require' }] } };
const reenlightenment = { devices: {}, features: { hyperv: { reenlightenment: { enabled: true } } } };
const needing = (domain: object, phase = 'Pending', metadata: object = {}) =>
  vmi(phase, { spec: { architecture: 'amd64', domain: domain as typeof invtsc }, metadata });
const withMinimum = (minimumClusterTSCFrequency: number) => {
  const developerConfiguration = { ...configuration.kubevirt.developerConfiguration, minimumClusterTSCFrequency };
  return { ...configuration, kubevirt: { ...configuration.kubevirt, developerConfiguration } };
};
const SELECTOR = 'scheduling.node.kubevirt.io/tsc-frequency-123';

describe('topology hints (vmi.md 11.1)', () => {
  test.each([
    ['invtsc', invtsc],
    ['re-enlightenment', reenlightenment],
  ])('vmi case 114: hints first, the pod in the next pass: %s', (_, domain) => {
    const world = worldOf(needing(domain), tscNode('a', { tsc: 1234 }), tscNode('b', { tsc: 123 }));
    expect(world.pass().type).toBe('done');
    expect(world.status).toMatchObject({ phase: 'Pending', topologyHints: { tscFrequency: 123 } });
    expect(world.pods).toEqual([]);
    world.pass();
    expect(world.pod.spec.nodeSelector?.[SELECTOR]).toBe('true');
    expect(world.status.phase).toBe('Scheduling');
  });

  test('vmi case 115: required for boot and unusable: event, no write, backs off; usable again: goes on', () => {
    const world = worldOf(needing(invtsc, ''), tscNode('a', { tsc: 1234 }));
    world.configuration = withMinimum(0);
    const before = world.vmi;
    for (let i = 0; i < 2; i++) {
      const outcome = world.pass();
      expect(outcome.type).toBe('retry');
      expect(outcome.actions.map((a) => a.verb)).toEqual(['event']);
    }
    expect(world.events).toEqual(Array(2).fill('Warning FailedGatherhingClusterTopologyHints'));
    expect(world.vmi).toEqual(before);
    world.configuration = withMinimum(200);
    world.settle();
    expect(world.status.topologyHints).toEqual({ tscFrequency: 200 });
  });

  test('vmi case 115: required for migration and unusable: no event, no pod, no error', () => {
    const world = worldOf(needing(reenlightenment), tscNode('a', { tsc: 1234 }));
    world.configuration = withMinimum(-1);
    expect(world.settle().type).toBe('done');
    expect(world.status.phase).toBe('Pending');
    expect([world.status.topologyHints, world.events, world.pods]).toEqual([undefined, [], []]);
  });

  test('no node qualifies: the hints say 0, and the pod asks for no frequency', () => {
    const world = worldOf(needing(invtsc), tscNode('a', { tsc: 1234, schedulable: false }), tscNode('b'));
    world.settle();
    expect(world.status.topologyHints).toEqual({ tscFrequency: 0 });
    expect(Object.keys(world.pod.spec.nodeSelector ?? {}).filter((k) => k.includes('tsc'))).toEqual([]);
  });

  test('a node out of scheduling counts while a VMI is there', () => {
    const other = { ...vmi('Running', { status: { nodeName: 'out' } }) };
    const neighbour = { ...other, metadata: { ...other.metadata, name: 'other', uid: 'other' } };
    const world = worldOf(
      needing(invtsc),
      tscNode('a', { tsc: 1234 }),
      tscNode('out', { tsc: 50, schedulable: false }),
      neighbour,
    );
    world.pass();
    expect(world.status.topologyHints).toEqual({ tscFrequency: 50 });
  });

  test('hints that are there stay, whatever the cluster has become', () => {
    const instance = needing(invtsc);
    const world = worldOf(
      { ...instance, status: { ...instance.status, topologyHints: { tscFrequency: 123 } } },
      tscNode('a', { tsc: 50 }),
    );
    world.settle();
    expect(world.status.topologyHints).toEqual({ tscFrequency: 123 });
    expect(world.pod.spec.nodeSelector?.[SELECTOR]).toBe('true');
  });

  test('vmi case 110: a receiver gets them while it waits', () => {
    const metadata = { annotations: { 'kubevirt.io/create-migration-target': 'true' } };
    const world = worldOf(needing(invtsc, '', metadata), tscNode('a', { tsc: 123 }));
    world.settle();
    expect(world.status).toMatchObject({ phase: 'WaitingForSync', topologyHints: { tscFrequency: 123 } });
    expect(world.pods).toEqual([]);
  });

  test('none are looked for once there is a pod', () => {
    const world = worldOf(needing(invtsc), pod('Pending'), tscNode('a', { tsc: 123 }));
    world.pass();
    expect(world.status.phase).toBe('Scheduling');
    expect(world.status.topologyHints).toBeUndefined();
  });
});
