import type { Cluster } from '../../cluster.ts';
import { asText, textAt } from '../../json/value.ts';
import { type ApiObject, nameIn } from '../../objects.ts';
import { forbidden } from '../../refusals.ts';
import { priorityClasses } from '../../strategies/groups.ts';
import { pods } from '../../strategies/pod/strategy.ts';

/** A pod's priority is its class's. */
export function priority(cluster: Cluster, pod: ApiObject): void {
  const spec = pod.spec ?? {};
  const wanted = textAt(spec, 'priorityClassName');
  const found =
    wanted === undefined
      ? cluster.store.list(priorityClasses).find((c) => c.globalDefault === true)
      : cluster.store.get(priorityClasses, wanted);
  if (wanted !== undefined && found === undefined)
    throw forbidden(pods, nameIn(pod), `no PriorityClass with name ${wanted} was found`);
  if (found !== undefined) spec.priorityClassName = found.metadata.name;
  const value = typeof found?.value === 'number' ? found.value : 0;
  const computed = `the integer value of priority (${asText(spec.priority)}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
  if (spec.priority !== undefined && spec.priority !== value) throw forbidden(pods, nameIn(pod), computed);
  spec.priority = value;
  spec.preemptionPolicy ??= textAt(found, 'preemptionPolicy') ?? 'PreemptLowerPriority';
}
