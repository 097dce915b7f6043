import { formatQuantity } from '../../../../functions/core/quantity/format.ts';
import { type Quantity, wholeQuantity } from '../../../../functions/core/quantity/quantity.ts';
import { sum, usage } from '../admission/quota/usage.ts';
import type { Cluster } from '../cluster.ts';
import { objAt } from '../json/value.ts';
import type { ApiObject } from '../objects.ts';
import type { Resource } from '../resources/resource.ts';
import type { Change } from '../store/store.ts';
import { resourceQuotas } from '../strategies/core.ts';
import { type Controller, rewrite } from './controller.ts';

/** Keeps what quotas say of their namespace: what is limited, and what of it is used. */
export class QuotaUsage implements Controller {
  readonly #cluster: Cluster;
  readonly #due = new Set<string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  heard({ namespaced }: Resource, { object }: Change): void {
    if (namespaced) this.#due.add(object.metadata.namespace ?? '');
  }

  pass(): void {
    if (this.#due.size === 0) return;
    const due = [...this.#due];
    this.#due.clear();
    for (const namespace of due)
      for (const quota of this.#cluster.store.list(resourceQuotas, namespace)) this.#count(quota, namespace);
  }

  #count(quota: ApiObject, namespace: string): void {
    const hard = objAt(quota.spec, 'hard') ?? {};
    const total: Record<string, Quantity> = {};
    for (const resource of this.#cluster.catalogue.all()) {
      if (!resource.namespaced) continue;
      for (const object of this.#cluster.store.list(resource, namespace)) sum(total, usage(resource, object));
    }
    const used = Object.keys(hard).map((name) => [name, formatQuantity(total[name] ?? wholeQuantity(0))] as const);
    rewrite(this.#cluster, resourceQuotas, quota, { status: { hard, used: Object.fromEntries(used) } });
  }
}
