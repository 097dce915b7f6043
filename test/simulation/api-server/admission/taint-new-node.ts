import type { Cluster } from '../cluster.ts';
import { objsAt, textAt } from '../json/value.ts';
import type { ApiObject } from '../objects.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';

/** A new node takes no pods before it is ready. */
export function taintNewNode(_: Cluster, node: ApiObject): void {
  const spec = (node.spec ??= {});
  const taints = objsAt(spec, 'taints');
  if (taints.some((t) => textAt(t, 'key') === NOT_READY && textAt(t, 'effect') === 'NoSchedule')) return;
  spec.taints = [...taints, { key: NOT_READY, effect: 'NoSchedule' }];
}
