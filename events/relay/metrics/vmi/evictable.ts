import { conditionOf } from '../../../../functions/core/conditions.ts';
import type { ClusterConfiguration } from '../../../../functions/core/configuration/configuration.ts';
import type { VirtualMachineInstance } from '../../../../functions/core/objects.ts';

/**
 * Whether an eviction finds a way for the VMI (runtime.md 12.6). Only a strategy that demands a migration can fail to: with
 * `LiveMigrateIfPossible` a VMI that cannot migrate is shut down instead.
 */
export function isEvictable(vmi: VirtualMachineInstance, configuration: ClusterConfiguration | undefined): boolean {
  const strategy = vmi.spec.evictionStrategy ?? configuration?.kubevirt.evictionStrategy;
  if (strategy !== 'LiveMigrate') return true;
  const migratable = conditionOf(vmi.status?.conditions, 'LiveMigratable');
  return migratable !== undefined && migratable.status !== 'False';
}
