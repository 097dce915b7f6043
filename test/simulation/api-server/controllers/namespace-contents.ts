/** What every namespace has in it: the service account `default` and the certificate of the server. */
import type { Cluster } from '../cluster.ts';
import { isBeingDeleted } from '../objects.ts';
import type { Resource } from '../resources/resource.ts';
import { keyOf } from '../resources/resource.ts';
import type { Change } from '../store/store.ts';
import { namespaces } from '../strategies/cluster.ts';
import { configMaps, serviceAccounts } from '../strategies/core.ts';
import { create } from '../writing/create.ts';
import type { Controller } from './controller.ts';

const CONTENTS: readonly (readonly [Resource, string, object])[] = [
  [serviceAccounts, 'default', {}],
  [
    configMaps,
    'kube-root-ca.crt',
    {
      data: { 'ca.crt': 'a certificate' },
      metadata: {
        annotations: {
          'kubernetes.io/description':
            'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
        },
      },
    },
  ],
];

export class NamespaceContents implements Controller {
  readonly #cluster: Cluster;
  readonly #due = new Set<string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  heard(resource: Resource, { type, object: { metadata } }: Change): void {
    if (resource === namespaces && type === 'ADDED') this.#due.add(metadata.name);
    if (type === 'DELETED' && (resource === serviceAccounts || resource === configMaps))
      this.#due.add(metadata.namespace ?? '');
  }

  pass(): void {
    if (this.#due.size === 0) return;
    const due = [...this.#due];
    this.#due.clear();
    for (const name of due) {
      const namespace = this.#cluster.store.get(namespaces, name);
      if (namespace !== undefined && !isBeingDeleted(namespace)) this.#fill(name);
    }
  }

  #fill(namespace: string): void {
    for (const [resource, name, content] of CONTENTS) {
      if (this.#cluster.store.get(resource, keyOf(namespace, name)) !== undefined) continue;
      const { metadata, ...rest } = content as { metadata?: object };
      create(this.#cluster, { resource, version: 'v1', namespace, body: { ...rest, metadata: { ...metadata, name } } });
    }
  }
}
