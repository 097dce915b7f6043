import type { Cluster } from '../cluster.ts';
import { ClaimBinder } from './claim-binder.ts';
import type { Controller } from './controller.ts';
import { Definitions } from './definitions.ts';
import { EventExpiry } from './event-expiry.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { NamespaceContents } from './namespace-contents.ts';
import { NamespaceDeletion } from './namespace-deletion.ts';
import { NodeLabels } from './node-labels.ts';
import { Protection } from './protection.ts';
import { QuotaUsage } from './quota-usage.ts';

/** More rounds than any chain of controllers needs: against two that undo each other's work. */
const MAX_ROUNDS = 100;

export class Controllers {
  readonly #cluster: Cluster;
  readonly #all: readonly Controller[];

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#all = [
      new Definitions(cluster),
      new NamespaceContents(cluster),
      new NodeLabels(cluster),
      new GarbageCollector(cluster),
      new ClaimBinder(cluster),
      new Protection(cluster),
      new QuotaUsage(cluster),
      new NamespaceDeletion(cluster),
      new EventExpiry(cluster),
    ];
    cluster.store.onChange((resource, change) => {
      for (const controller of this.#all) controller.heard(resource, change);
    });
  }

  /** Each works once; whether anything was written. */
  pass(): boolean {
    const before = this.#cluster.store.version;
    for (const controller of this.#all) controller.pass();
    return this.#cluster.store.version !== before;
  }

  settle(): void {
    for (let round = 0; this.pass(); round++)
      if (round > MAX_ROUNDS) throw new Error('the controllers of the API server model do not come to rest');
  }
}
