import type { Cluster } from '../cluster.ts';
import type { Resource } from '../resources/resource.ts';
import type { Change } from '../store/store.ts';
import { nodes } from '../strategies/cluster.ts';
import { type Controller, rewriteMetadata } from './controller.ts';

const OLDER_NAMES = {
  'kubernetes.io/os': 'beta.kubernetes.io/os',
  'kubernetes.io/arch': 'beta.kubernetes.io/arch',
};
const TTL = 'node.alpha.kubernetes.io/ttl';

/** Labels under their older names, and how long kubelets may keep what they have read. */
export class NodeLabels implements Controller {
  readonly #cluster: Cluster;
  readonly #due = new Set<string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  heard(resource: Resource, { object }: Change): void {
    if (resource === nodes) this.#due.add(object.metadata.name);
  }

  pass(): void {
    if (this.#due.size === 0) return;
    const due = [...this.#due];
    this.#due.clear();
    for (const name of due) this.#label(name);
  }

  #label(name: string): void {
    const node = this.#cluster.store.get(nodes, name);
    if (node === undefined) return;
    const { labels = {}, annotations = {} } = node.metadata;
    const older = Object.entries(OLDER_NAMES).flatMap(([newer, old]) =>
      labels[newer] === undefined ? [] : [[old, labels[newer]] as const],
    );
    rewriteMetadata(this.#cluster, nodes, node, {
      ...(older.length === 0 ? {} : { labels: { ...labels, ...Object.fromEntries(older) } }),
      annotations: { ...annotations, [TTL]: '0' },
    });
  }
}
