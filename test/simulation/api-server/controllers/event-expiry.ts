import type { Cluster } from '../cluster.ts';
import { keyOf, type Resource } from '../resources/resource.ts';
import type { Change } from '../store/store.ts';
import { events } from '../strategies/core.ts';
import type { Controller } from './controller.ts';

const LIFE_MS = 3_600_000;

/** Events are gone an hour after they were last written. */
export class EventExpiry implements Controller {
  readonly #cluster: Cluster;
  /** In the order of their times. */
  #written: { readonly key: string; readonly version: string | undefined; readonly at: number }[] = [];

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  heard(resource: Resource, { type, object }: Change): void {
    if (resource !== events || type === 'DELETED') return;
    const { namespace, name, resourceVersion } = object.metadata;
    this.#written.push({ key: keyOf(namespace, name), version: resourceVersion, at: this.#cluster.ports.now() });
  }

  pass(): void {
    const now = this.#cluster.ports.now();
    if (this.#written[0] === undefined || now - this.#written[0].at < LIFE_MS) return;
    const alive = this.#written.findIndex(({ at }) => now - at < LIFE_MS);
    const due = alive < 0 ? this.#written : this.#written.slice(0, alive);
    this.#written = alive < 0 ? [] : this.#written.slice(alive);
    for (const { key, version } of due) {
      const event = this.#cluster.store.get(events, key);
      if (event !== undefined && event.metadata.resourceVersion === version) this.#cluster.store.delete(events, event);
    }
  }
}
