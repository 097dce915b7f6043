/** A quota on a compute resource asks every container of a pod to say what it takes of it. */
import { objAt, textAt } from '../../json/value.ts';
import type { ApiObject } from '../../objects.ts';
import { allContainersOf } from '../../strategies/pod/containers.ts';

const WHERE: Readonly<Record<string, readonly [list: string, resource: string]>> = {
  cpu: ['requests', 'cpu'],
  memory: ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
};

/** `limits.cpu for: a,b; limits.memory for: a`; empty: nothing is missing. */
export function mustSpecify(pod: ApiObject, limited: readonly string[]): string {
  return [...limited]
    .sort()
    .flatMap((name) => {
      const where = WHERE[name];
      if (where === undefined) return [];
      const [list, resource] = where;
      const silent = allContainersOf(pod).filter((c) => objAt(c, 'resources', list)?.[resource] === undefined);
      if (silent.length === 0) return [];
      const names = silent.map((c) => textAt(c, 'name') ?? '').sort();
      return [`${name} for: ${names.join(',')}`];
    })
    .join('; ');
}
