import type { JsonPatchOperation } from '../core/action.ts';
import type { VirtualMachineInstance } from '../core/objects.ts';
import { type Failure, type Pass, refTo } from './pass.ts';

/**
 * Patches the VMI and goes on with what it becomes, so that later patches of the pass test what they will find. Returns the
 * failure of the same patch in the last pass.
 */
export function patchInstance(
  pass: Pass,
  id: string,
  operations: readonly JsonPatchOperation[],
  becomes: VirtualMachineInstance,
): Failure | undefined {
  const failure = pass.attempt({ id, verb: 'patch', target: refTo(becomes), patch: { type: 'json', operations } });
  if (failure === undefined) pass.claim = { type: 'claimed', instance: becomes };
  return failure;
}

type Spec = VirtualMachineInstance['spec'];
type Status = NonNullable<VirtualMachineInstance['status']>;

export function withSpec(instance: VirtualMachineInstance, changes: Partial<Spec>): VirtualMachineInstance {
  return { ...instance, spec: { ...instance.spec, ...changes } };
}

export function withStatus(instance: VirtualMachineInstance, changes: Partial<Status>): VirtualMachineInstance {
  return { ...instance, status: { ...instance.status, ...changes } };
}
