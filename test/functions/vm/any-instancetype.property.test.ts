import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyInstancetype, anyPreference, anySpec } from '../rules/instancetype/any-profile.ts';
import { NAMESPACE, World } from './world.ts';

const apiVersion = 'instancetype.kubevirt.io/v1beta1';
const policy = fc.constantFrom('reference', 'expand', 'expandAll');

test('any instance type, preference and template: started, or refused with a condition; then rest', () => {
  fc.assert(
    fc.property(anySpec, anyInstancetype, anyPreference, policy, (spec, instancetype, preference, referencePolicy) => {
      const world = World.withVm({
        runStrategy: 'Always',
        instancetype: { name: 'a', kind: 'virtualmachineinstancetype' },
        preference: { name: 'a', kind: 'virtualmachinepreference' },
      });
      world.changeVm((vm) => {
        vm.spec.template.spec = spec as never;
      });
      const { configuration } = world.driver;
      world.driver.configuration = {
        ...configuration,
        kubevirt: { ...configuration.kubevirt, instancetype: { referencePolicy } },
      };
      const metadata = { name: 'a', namespace: NAMESPACE };
      world.cluster.create({ apiVersion, kind: 'VirtualMachineInstancetype', metadata, spec: instancetype } as never);
      world.cluster.create({ apiVersion, kind: 'VirtualMachinePreference', metadata, spec: preference } as never);
      const { type } = world.settle();
      if (type === 'done') expect(world.maybeInstance).toBeDefined();
      else expect(world.condition('Failure')).toMatchObject({ status: 'True' });
    }),
    { numRuns: 150 },
  );
});
