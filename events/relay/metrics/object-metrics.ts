import type { Kind } from '../../../functions/core/kind.ts';
import { Pod, VirtualMachine, VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import { byController } from '../../../functions/core/object-index.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Metrics } from './metrics.ts';
import { migrationFamilies } from './migration/migration-families.ts';
import { MIGRATION_KIND, type Migration } from './migration/migration-kind.ts';
import type { ObjectFamily, Sample, Scene } from './scraped-family.ts';
import { vmFamilies } from './vm/vm-families.ts';
import { byUid } from './vmi/migration-state.ts';
import { vmiFamilies } from './vmi/vmi-families.ts';

/** Registers what is told of each VM, VMI and migration (runtime.md 12.5 to 12.7). Only the leader tells anything. */
export function registerObjectMetrics(metrics: Metrics, scene: Scene, leading: () => boolean): void {
  const { caches } = scene;
  caches.of(Pod).addIndex(byController);
  caches.named(MIGRATION_KIND)?.addIndex(byUid);
  const register = <T extends KubeObject>(kind: Kind<T>, families: readonly ObjectFamily<T>[]) => {
    for (const { name, help, type, samplesOf } of families) {
      const samples = function* (): Generator<Sample> {
        if (leading()) for (const object of caches.of(kind).values()) yield* samplesOf(object as T, scene);
      };
      metrics.scraped({ name, help, type, samples });
    }
  };
  register(VirtualMachineInstance, vmiFamilies);
  register(VirtualMachine, vmFamilies);
  const migrations = () =>
    leading() ? ([...(caches.named(MIGRATION_KIND)?.values() ?? [])] as Migration[]) : undefined;
  for (const family of migrationFamilies(migrations)) metrics.scraped(family);
}
