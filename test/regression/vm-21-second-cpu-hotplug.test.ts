// The second time CPUs are plugged in, the limit is reckoned from the VM instead of the VMI that runs (kubevirt PR 11935).
import { expect, test } from 'vitest';
import { configure } from '../functions/vm/configuration.ts';
import { templateSpec, World } from '../functions/vm/world.ts';

test('limits grow from what the VMI has, and the patch tests that', () => {
  const { domain } = templateSpec();
  const cpu = { cores: 1, sockets: 1, maxSockets: 4 };
  const resources = { requests: { memory: '128Mi' }, limits: { cpu: '1' } };
  const world = World.withVm({ runStrategy: 'Always' }, { domain: { ...domain, cpu, resources } });
  configure(world, { developerConfiguration: { cpuAllocationRatio: 1 } });
  world.started();
  const plugIn = (sockets: number) => {
    world.changeVm((vm) => {
      Object.assign(vm.spec.template.spec?.domain ?? {}, { cpu: { ...cpu, sockets } });
    });
    const { actions } = world.pass();
    world.settle();
    return actions.find((a) => a.id === 'vmi-cpu');
  };
  plugIn(2);
  expect(world.instance.spec.domain.resources?.limits).toEqual({ cpu: '2' });
  expect(plugIn(3)).toMatchObject({
    patch: {
      operations: expect.arrayContaining([{ op: 'test', path: '/spec/domain/resources/limits/cpu', value: '2' }]),
    },
  });
  expect(world.instance.spec.domain.resources?.limits).toEqual({ cpu: '3' });
});
