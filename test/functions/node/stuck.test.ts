import { describe, expect, test } from 'vitest';
import { NEXT_MINUTE, type PodTraits, RUNNING, TERMINATED, World } from './world.ts';

const FAILED = 'Failed NodeUnresponsive';

/** An unresponsive node with an agent pod. */
function attended(): World {
  const world = World.withNode();
  world.addAgent();
  return world;
}

/** What becomes of a running VMI with that pod on its node. */
function withPod(traits: PodTraits): string {
  const world = attended();
  world.addVmi('a', 'Running');
  world.addPod('a', traits);
  world.settle();
  return world.state('a');
}

describe('VMIs of an unresponsive node', () => {
  test.each(['Running', 'Scheduled'])('node cases 14, 15: %s, no pod -> failed, with one event', (phase) => {
    const world = attended();
    world.addVmi('a', phase);
    world.pass();
    expect(world.state('a')).toBe(FAILED);
    expect(world.events).toEqual(['VirtualMachineInstance/a Normal NodeUnresponsive']);
    expect(world.pass()).toEqual({ ...NEXT_MINUTE, actions: [] });
  });

  test.each([undefined, 'Pending', 'Scheduling', 'Succeeded', 'Failed'])(
    'node case 16: phase %s -> not touched',
    (phase) => {
      const world = attended();
      world.addVmi('a', phase);
      expect(world.pass().actions).toEqual([]);
    },
  );

  test('node case 17: a running pod of its own keeps it', () => {
    expect(withPod({ containers: [RUNNING] })).toBe('Running');
  });

  test('node case 18: a pod of that uid in another namespace does not', () => {
    expect(withPod({ namespace: 'other', containers: [RUNNING] })).toBe(FAILED);
  });

  test.each(['Failed', 'Succeeded'] as const)('node case 19: nor a pod in phase %s', (phase) => {
    expect(withPod({ phase, containers: [RUNNING] })).toBe(FAILED);
  });

  test('node case 20: nor a pending one whose containers have all ended (NODE-01)', () => {
    expect(withPod({ phase: 'Pending', containers: [TERMINATED, TERMINATED] })).toBe(FAILED);
  });

  test('node case 21: a pending pod without container statuses is alive', () => {
    expect(withPod({ phase: 'Pending', containers: [] })).toBe('Running');
  });

  test('node case 22: one running and one terminated container are alive', () => {
    expect(withPod({ containers: [TERMINATED, RUNNING] })).toBe('Running');
  });

  test('node case 23: a pod of a ReplicaSet is ignored', () => {
    expect(withPod({ owner: { kind: 'ReplicaSet', uid: 'uid-a' }, role: 'other', containers: [RUNNING] })).toBe(FAILED);
  });

  test('node case 24: a pod that is being deleted is alive while a container runs', () => {
    expect(withPod({ deleted: true, containers: [RUNNING] })).toBe('Running');
  });

  test('a pod on another node, such as a migration target, does not keep it', () => {
    expect(withPod({ node: 'n2', containers: [RUNNING] })).toBe(FAILED);
  });

  test('node case 25: three, the second cannot be patched -> three events, the third is failed too, retry', () => {
    const world = attended();
    for (const name of ['a', 'b', 'c']) world.addVmi(name, 'Running');
    world.refuseVmi('b');
    world.pass();
    expect(world.pass()).toMatchObject({ type: 'retry' });
    expect(['a', 'b', 'c'].map((n) => world.state(n))).toEqual([FAILED, 'Running', FAILED]);
    expect(world.events).toEqual(['a', 'b', 'c'].map((n) => `VirtualMachineInstance/${n} Normal NodeUnresponsive`));
    world.cluster.refuse.clear();
    world.settle();
    expect(world.state('b')).toBe(FAILED);
  });

  test('two that cannot be patched do not take turns without a pause', () => {
    const world = attended();
    for (const name of ['a', 'b', 'c']) {
      world.addVmi(name, 'Running');
      world.refuseVmi(name);
    }
    const writes = [0, 1, 2, 3].map(() => world.pass().actions.filter((a) => a.verb === 'patch').length);
    expect(writes).toEqual([3, 2, 1, 0]);
  });

  test('node case 26: a VMI that is gone -> the next list does not hold it', () => {
    const world = attended();
    world.addVmi('a', 'Running');
    world.cluster.holdWatch('VirtualMachineInstance');
    world.removeVmi('a');
    world.pass();
    world.cluster.releaseWatch('VirtualMachineInstance');
    expect(world.pass().actions).toEqual([]);
  });

  test('node case 27: of two only the one without a pod', () => {
    const world = attended();
    world.addVmi('a', 'Running');
    world.addVmi('b', 'Running');
    world.addPod('b', { containers: [RUNNING] });
    world.settle();
    expect([world.state('a'), world.state('b')]).toEqual([FAILED, 'Running']);
  });

  test('VMIs of another node are not touched', () => {
    const world = attended();
    world.addVmi('a', 'Running', 'n2');
    expect(world.pass().actions).toEqual([]);
  });

  test('node case 40: a VMI of the same name that came after the one that was seen is not touched', () => {
    const world = attended();
    world.addVmi('a', 'Running');
    world.cluster.holdWatch('VirtualMachineInstance');
    world.removeVmi('a');
    world.addVmi('a', 'Running', 'n2');
    world.changeVmi('a', (vmi) => (vmi.metadata.uid = 'uid-later'));
    world.pass();
    expect(world.state('a')).toBe('Running');
  });

  test('one that has migrated away or ended meanwhile is not touched', () => {
    const world = attended();
    for (const name of ['a', 'b']) world.addVmi(name, 'Running');
    world.cluster.holdWatch('VirtualMachineInstance');
    world.changeVmi('a', (vmi) => (vmi.metadata.labels = { 'kubevirt.io/nodeName': 'n2' }));
    world.changeVmi('b', (vmi) => (vmi.status = { ...vmi.status, phase: 'Succeeded' }));
    world.pass();
    world.removeVmi('a');
    world.pass();
    expect(world.state('b')).toBe('Succeeded');
  });

  test('a pod that the snapshot does not show yet keeps its VMI', () => {
    const world = attended();
    world.addVmi('a', 'Running');
    world.cluster.holdWatch('Pod');
    world.addPod('a', { containers: [RUNNING] });
    world.pass();
    expect(world.state('a')).toBe('Running');
  });
});

describe('a node that is gone', () => {
  test('one that the snapshot does not show yet keeps its VMIs, and nothing is told of them', () => {
    const world = new World();
    world.addVmi('a', 'Running');
    world.cluster.holdWatch('Node');
    world.addNode({});
    world.pass();
    expect([world.state('a'), world.events]).toEqual(['Running', []]);
  });

  test('node case 12: its VMI without a pod is failed; no orphan check, not looked at again', () => {
    const world = new World();
    world.addVmi('a', 'Running');
    expect(world.pass()).toMatchObject({ type: 'done' });
    expect(world.state('a')).toBe(FAILED);
    expect(world.events).toEqual(['VirtualMachineInstance/a Normal NodeUnresponsive']);
    expect(world.pass()).toEqual({ type: 'done', actions: [] });
  });

  test('node case 13: no VMI -> nothing', () => {
    expect(new World().pass()).toEqual({ type: 'done', actions: [] });
  });

  test('its VMI with a pod that still runs is failed when that ends', () => {
    const world = new World();
    world.addVmi('a', 'Running');
    world.addPod('a', { containers: [RUNNING] });
    expect(world.settle()).toEqual({ type: 'done', actions: [] });
    world.removePod('virt-launcher-a');
    world.settle();
    expect(world.state('a')).toBe(FAILED);
  });

  test('a VMI that cannot be patched is tried again a minute later', () => {
    const world = new World();
    world.addVmi('a', 'Running');
    world.refuseVmi('a');
    world.pass();
    expect(world.pass()).toEqual({ ...NEXT_MINUTE, actions: [] });
    expect(world.pass().actions).toHaveLength(2);
  });
});
