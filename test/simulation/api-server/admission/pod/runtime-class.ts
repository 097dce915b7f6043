import type { Cluster } from '../../cluster.ts';
import { objAt, textAt } from '../../json/value.ts';
import { type ApiObject, nameIn } from '../../objects.ts';
import { forbidden } from '../../refusals.ts';
import { runtimeClasses } from '../../strategies/groups.ts';
import { pods } from '../../strategies/pod/strategy.ts';

/** A pod's runtime class has to be there; what it costs is the pod's overhead. */
export function runtimeClass(cluster: Cluster, pod: ApiObject): void {
  const name = textAt(pod.spec, 'runtimeClassName');
  if (name === undefined) return;
  const found = cluster.store.get(runtimeClasses, name);
  if (found === undefined) throw forbidden(pods, nameIn(pod), `pod rejected: RuntimeClass "${name}" not found`);
  const overhead = objAt(found, 'overhead', 'podFixed');
  if (overhead !== undefined && pod.spec !== undefined) pod.spec.overhead = { ...overhead };
}
