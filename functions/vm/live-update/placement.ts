import type { JsonPatchOperation } from '../../core/action.ts';
import { addOrReplace, testAndRemove } from '../../core/json-patch.ts';
import type { VirtualMachineInstance } from '../../core/objects.ts';
import { patchInstance, withSpec } from '../instance-patch.ts';
import type { Failure, Pass } from '../pass.ts';

type Field = 'affinity' | 'nodeSelector' | 'tolerations';

/** Sets or removes a member of the VMI's spec that tells where it may run (vm.md 7.2, 7.3). */
export function carryOver(
  pass: Pass,
  instance: VirtualMachineInstance,
  field: Field,
  wanted: VirtualMachineInstance['spec'][Field],
): Failure | undefined {
  const path = `/spec/${field}`;
  const old = instance.spec[field];
  // The original removes without a test; a VMI that has changed meanwhile must not lose what it has now.
  const operations: readonly JsonPatchOperation[] =
    wanted === undefined ? testAndRemove(path, old) : addOrReplace(path, old, wanted);
  return patchInstance(pass, `vmi-${field}`, operations, withSpec(instance, { [field]: wanted }));
}
