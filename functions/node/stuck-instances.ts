import type { Context } from '../core/context.ts';
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

/**
 * Those of them whose turn it is. An answer's actions end at the first that fails, and the pass after a failure comes at once:
 * it goes on with what was not attempted, so that one VMI that cannot be patched holds up none behind it (case 25). What
 * failed is tried again after the pause.
 */
export function toBeTried(
  stuck: readonly VirtualMachineInstance[],
  { results }: Pick<Context, 'results'>,
): readonly VirtualMachineInstance[] {
  if (!results.some((r) => r.status === 'failed')) return stuck;
  const left = new Set(results.filter((r) => r.status === 'not-attempted').map((r) => r.id));
  return stuck.filter((vmi) => left.has(failureId(vmi)));
}
