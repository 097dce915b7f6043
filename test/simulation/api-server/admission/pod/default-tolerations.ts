import type { Cluster } from '../../cluster.ts';
import { type Obj, objsAt, textAt } from '../../json/value.ts';
import type { ApiObject } from '../../objects.ts';

const CONDITIONS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const SECONDS = 300;

/** A pod stays five minutes on a node that is not ready, unless it says otherwise. */
export function defaultTolerations(_: Cluster, pod: ApiObject): void {
  const spec = pod.spec ?? {};
  const own = objsAt(spec, 'tolerations');
  const added = CONDITIONS.filter((key) => !own.some((t) => tolerates(t, key))).map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: SECONDS,
  }));
  if (added.length > 0) spec.tolerations = [...own, ...added];
}

function tolerates(toleration: Obj, key: string): boolean {
  const effect = textAt(toleration, 'effect') ?? '';
  const of = textAt(toleration, 'key') ?? '';
  return (effect === '' || effect === 'NoExecute') && (of === '' || of === key);
}
