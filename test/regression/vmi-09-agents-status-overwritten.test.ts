/** VMI-09, pull request 3520 of KubeVirt: the controller wrote over what the node agent says of a VMI that is Scheduled. */
import { describe, expect, test } from 'vitest';
import type { JsonPatchOperation } from '../../functions/core/action.ts';
import { handedOver, runningPod } from '../functions/vmi/fixtures.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

const agents = [
  { type: 'Synchronized', status: 'False', reason: 'X', message: 'of the agent' },
  { type: 'LiveMigratable', status: 'False', reason: 'DisksNotLiveMigratable' },
  { type: 'AgentConnected', status: 'True' },
];

describe.each(['Scheduled', 'Running'] as const)('VMI-09: %s', (phase) => {
  test('conditions of the agent stay as they are, also where its own failed', () => {
    const world = worldOf(handedOver(phase, { status: { conditions: agents } }), runningPod());
    world.refuse('pod eviction mark', 500, 'no');
    world.changeVmi((v) => (v.status = { ...v.status, evacuationNodeName: 'node01' }));
    for (let i = 0; i < 3; i++) world.pass();
    for (const condition of agents) expect(world.status.conditions).toContainEqual(condition);
  });

  test('no write touches the phase, or a list without a test of what was read', () => {
    const world = worldOf(handedOver(phase, { status: { conditions: agents } }), runningPod());
    const operations: readonly JsonPatchOperation[] = world
      .pass()
      .actions.flatMap((a) =>
        a.verb === 'patch' && a.id === 'write vmi' && a.patch.type === 'json' ? a.patch.operations : [],
      );
    expect(operations.filter(({ path }) => path === '/status/phase')).toEqual([]);
    const replaced = operations.filter(({ op }) => op === 'replace').map(({ path }) => path);
    const tested = operations.filter(({ op }) => op === 'test').map(({ path }) => path);
    expect(replaced).toContain('/status/conditions');
    expect(tested).toEqual(expect.arrayContaining(replaced));
  });

  test('what the agent wrote meanwhile is not lost', () => {
    const world = worldOf(handedOver(phase, { status: { conditions: agents } }), runningPod());
    world.cluster.holdWatch('VirtualMachineInstance');
    const later = { type: 'Synchronized', status: 'True' };
    world.changeVmi((v) => (v.status = { ...v.status, conditions: [later] }));
    world.pass();
    expect(world.status.conditions).toEqual([later]);
    world.cluster.releaseWatch('VirtualMachineInstance');
  });
});
