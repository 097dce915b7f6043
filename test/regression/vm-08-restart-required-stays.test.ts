// RestartRequired is never taken away, though the change that asked for it was taken back, and holds back every live update
// (kubevirt PR 16606).
import { expect, test } from 'vitest';
import { templateSpec, World } from '../functions/vm/world.ts';

test('changed and changed back: the condition goes, and live updates come through again', () => {
  const template = templateSpec();
  const cpu = { cores: 1, sockets: 1, maxSockets: 4 };
  const world = World.withVm({ runStrategy: 'Always' }, { domain: { ...template.domain, cpu } }).started();
  const setHostname = (hostname: string | undefined) => {
    world.changeVm((vm) => {
      Object.assign(vm.spec.template.spec ?? {}, { hostname });
    });
    world.settle();
  };
  setHostname('other');
  expect(world.condition('RestartRequired')).toMatchObject({ status: 'True' });
  setHostname(undefined);
  expect(world.condition('RestartRequired')).toBeUndefined();
  world.changeVm((vm) => {
    Object.assign(vm.spec.template.spec?.domain ?? {}, { cpu: { ...cpu, sockets: 2 } });
  });
  world.settle();
  expect(world.instance.spec.domain.cpu?.sockets).toBe(2);
});
