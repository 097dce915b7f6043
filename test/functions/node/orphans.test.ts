import { describe, expect, test } from 'vitest';
import { NEXT_MINUTE, RUNNING, World } from './world.ts';

const WARNING = 'Node/n1 Warning NodeUnresponsive';

/** An unresponsive node with a stuck VMI and one whose pod runs. */
function withVmis(): World {
  const world = World.withNode();
  world.addVmi('stuck', 'Running');
  world.addVmi('alive', 'Running');
  world.addPod('alive', { containers: [RUNNING] });
  return world;
}

describe('orphan check', () => {
  test('node case 28: no agent, its DaemonSet stable -> Warning, then the VMIs', () => {
    const world = withVmis();
    world.addAgentSet(1, 1, 1);
    expect(world.pass()).toMatchObject(NEXT_MINUTE);
    expect(world.events).toEqual([WARNING, 'VirtualMachineInstance/stuck Normal NodeUnresponsive']);
    expect([world.state('stuck'), world.state('alive')]).toEqual(['Failed NodeUnresponsive', 'Running']);
  });

  test('node case 29: its DaemonSet being rolled out -> no Warning, the VMIs all the same', () => {
    const world = withVmis();
    world.addAgentSet(1, 0, 0);
    expect(world.pass()).toMatchObject(NEXT_MINUTE);
    expect(world.events).not.toContain(WARNING);
    expect(world.state('stuck')).toBe('Failed NodeUnresponsive');
  });

  test('node case 30: all scheduled and one of them not ready counts as stable', () => {
    const world = withVmis();
    world.addAgentSet(3, 3, 2);
    world.pass();
    expect(world.events).toContain(WARNING);
  });

  test.each([0, 2])('node cases 31, 32: %i DaemonSets -> error, VMIs not touched', (count) => {
    const world = withVmis();
    for (let i = 0; i < count; i++) world.addAgentSet(1, 1, 1, `virt-handler-${i}`);
    expect(world.pass()).toMatchObject({ type: 'retry', actions: [] });
    expect(world.state('stuck')).toBe('Running');
  });

  test('node case 33: an agent pod in phase Failed counts as present', () => {
    const world = withVmis();
    world.addAgentSet(1, 1, 1);
    world.addAgent('Failed');
    world.pass();
    expect(world.events).not.toContain(WARNING);
  });

  test('without active VMIs nobody asks for the agent', () => {
    const world = World.withNode();
    expect(world.pass()).toEqual({ ...NEXT_MINUTE, actions: [] });
  });
});
