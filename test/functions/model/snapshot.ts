import type { Controller, Reads, SnapshotOf } from '../../../functions/core/controller.ts';
import { keyOf } from '../../../functions/core/object-index.ts';
import type { KubeObject } from '../../../functions/core/objects.ts';
import type { Found } from '../../../functions/core/reads.ts';
import type { ModelCluster } from './cluster.ts';

/** Builds a key's snapshot as the relay does: the reads in their order, each with what the earlier ones found. */
export function snapshotOf<P extends KubeObject, R extends Reads<P>>(
  cluster: ModelCluster,
  controller: Controller<P, R>,
  key: string,
): SnapshotOf<Controller<P, R>> {
  const whole = cluster.cached(controller.primary.kind).find((o) => keyOf(o) === key) as P | undefined;
  const primary = whole === undefined || controller.project === undefined ? whole : controller.project(whole);
  const reads: Record<string, unknown> = {};
  const found: Found = {
    one: <T extends KubeObject>(read: string) => reads[read] as T | undefined,
    many: <T extends KubeObject>(read: string) => (reads[read] ?? []) as readonly T[],
  };
  for (const [name, read] of Object.entries(controller.reads)) {
    const objects: KubeObject[] = [];
    const lookup = read.lookup(primary, found, key);
    const values = new Set(lookup === undefined ? [] : [lookup].flat());
    for (const object of cluster.cached(read.kind.kind)) {
      if (!read.index.valuesOf(object).some((v) => values.has(v))) continue;
      if (primary !== undefined && read.filter?.(object, primary) === false) continue;
      objects.push(read.project === undefined ? object : (read.project(object) as KubeObject));
    }
    reads[name] = read.many ? objects : objects[0];
  }
  return { key, primary, reads } as unknown as SnapshotOf<Controller<P, R>>;
}
