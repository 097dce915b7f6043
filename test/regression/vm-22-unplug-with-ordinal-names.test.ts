// An interface is unplugged though the pod's interfaces have ordinal names, or the sync fails because there is no pod yet
// (kubevirt PR 9979, 12006).
import { expect, test } from 'vitest';
import { templateSpec, World } from '../functions/vm/world.ts';

test.each([
  ['ordinal names', 'net1', undefined],
  ['no pod yet', undefined, undefined],
  ['hashed names', 'pod16477688c0e', 'absent'],
])('%s: the VMI is told %s: %s', (_name, podInterfaceName, state) => {
  const { domain } = templateSpec();
  const interfaces = [{ name: 'blue', bridge: {} }];
  const networks = [{ name: 'blue', multus: { networkName: 'blue' } }];
  const world = World.withVm(
    { runStrategy: 'Always' },
    { domain: { ...domain, devices: { ...domain.devices, interfaces } }, networks },
  ).started('Running', podInterfaceName === undefined ? {} : { interfaces: [{ name: 'blue', podInterfaceName }] });
  world.changeVm((vm) => {
    Object.assign(vm.spec.template.spec?.domain.devices.interfaces?.[0] ?? {}, { state: 'absent' });
  });
  expect(world.settle().type).toBe('done');
  expect(world.instance.spec.domain.devices.interfaces?.[0]?.state).toBe(state);
  expect(world.condition('Failure')).toBeUndefined();
});
