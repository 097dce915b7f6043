import { type Context, leftByFailure } from '../core/context.ts';
import type { Pod, VirtualMachineInstance } from '../core/objects.ts';
import { failureId } from './fail-instance.ts';
import { isAlive, podsOf } from './launcher-pods.ts';

/** Active VMIs of the node that no alive pod of their own carries (node.md A4, step 8). */
export function stuckInstances(
  instances: readonly VirtualMachineInstance[],
  pods: readonly Pod[],
): readonly VirtualMachineInstance[] {
  return instances.filter((vmi) => !podsOf(vmi, pods).some(isAlive));
}

/** Those of them whose turn it is (case 25). What failed is tried again after the pause. */
export function toBeTried(
  stuck: readonly VirtualMachineInstance[],
  context: Pick<Context, 'results'>,
): readonly VirtualMachineInstance[] {
  const left = leftByFailure(context);
  return left === undefined ? stuck : stuck.filter((vmi) => left.has(failureId(vmi)));
}
