import type { Kind } from '../../../functions/core/kind.ts';
import { Pod, VirtualMachine, VirtualMachineInstance } from '../../../functions/core/kinds.ts';
import { byController } from '../../../functions/core/object-index.ts';
import type {
  KubeObject,
  VirtualMachineInstance as VirtualMachineInstanceObject,
} from '../../../functions/core/objects.ts';
import type { Metrics } from './metrics.ts';
import { migrationFamilies } from './migration/migration-families.ts';
import { MIGRATION_KIND, type Migration } from './migration/migration-kind.ts';
import type { ObjectFamily, Sample, Scene } from './scraped-family.ts';
import { SNAPSHOT_KIND, type Snapshot, snapshotFamily } from './snapshot/snapshot-family.ts';
import { vmFamilies } from './vm/vm-families.ts';
import { byUid } from './vmi/migration-state.ts';
import { outdatedFamily } from './vmi/outdated.ts';
import { vmiFamilies } from './vmi/vmi-families.ts';

/** Registers what is told of objects when somebody asks (runtime.md 12). Only the leader tells anything. */
export function registerObjectMetrics(
  metrics: Metrics,
  scene: Scene,
  leading: () => boolean,
  nowMs: () => number,
): void {
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
  const instances = () =>
    leading() ? ([...caches.of(VirtualMachineInstance).values()] as VirtualMachineInstanceObject[]) : undefined;
  metrics.scraped(outdatedFamily(instances, () => scene.configuration()?.process.launcherImage, nowMs));
  const snapshots = () => (leading() ? ([...(caches.named(SNAPSHOT_KIND)?.values() ?? [])] as Snapshot[]) : []);
  metrics.scraped(snapshotFamily(snapshots));
}
