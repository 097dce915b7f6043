/** VMI-06, pull request 10961 of KubeVirt: a VMI stayed Running after its pod was gone. */
import { expect, test } from 'vitest';
import { handedOver } from '../functions/vmi/fixtures.ts';
import { worldOf } from '../functions/vmi/worlds.ts';

test.each(['Running', 'Scheduled'] as const)(
  'VMI-06: %s without a pod is Failed, if it is still what was read',
  (phase) => {
    const world = worldOf(handedOver(phase));
    const [write, ...others] = world.pass().actions;
    expect(others).toEqual([]);
    const operations = write?.verb === 'patch' && write.patch.type === 'json' ? write.patch.operations : [];
    const aboutPhase = operations.filter(({ path }) => path === '/status/phase');
    expect(aboutPhase).toEqual([
      { op: 'test', path: '/status/phase', value: phase },
      { op: 'replace', path: '/status/phase', value: 'Failed' },
    ]);
    expect(world.status.phase).toBe('Failed');
  },
);

test('VMI-06: what became of the VMI meanwhile stands', () => {
  const world = worldOf(handedOver('Running'));
  world.cluster.holdWatch('VirtualMachineInstance');
  world.changeVmi((v) => (v.status = { ...v.status, phase: 'Succeeded' }));
  world.pass();
  expect(world.status.phase).toBe('Succeeded');
  world.cluster.releaseWatch('VirtualMachineInstance');
});
