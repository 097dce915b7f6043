/** Which kinds are served. */
import * as cluster from '../strategies/cluster.ts';
import * as core from '../strategies/core.ts';
import { definitions } from '../strategies/definitions.ts';
import * as groups from '../strategies/groups.ts';
import { pods } from '../strategies/pod/strategy.ts';
import * as storage from '../strategies/storage.ts';
import type { Resource } from './resource.ts';

const builtIns: readonly Resource[] = [
  pods,
  ...Object.values(core),
  cluster.namespaces,
  cluster.nodes,
  ...Object.values(storage),
  ...Object.values(groups),
  definitions,
];

export class Catalogue {
  readonly #byPlural = new Map<string, Resource>();
  readonly #byKind = new Map<string, Resource>();

  constructor() {
    for (const resource of builtIns) this.add(resource);
  }

  add(resource: Resource): void {
    this.#byPlural.set(`${resource.group}/${resource.plural}`, resource);
    this.#byKind.set(`${resource.group}/${resource.kind}`, resource);
  }

  remove(resource: Resource): void {
    this.#byPlural.delete(`${resource.group}/${resource.plural}`);
    this.#byKind.delete(`${resource.group}/${resource.kind}`);
  }

  hasBuiltIn(group: string): boolean {
    return builtIns.some((r) => r.group === group);
  }

  named(group: string, plural: string): Resource | undefined {
    return this.#byPlural.get(`${group}/${plural}`);
  }

  /** As owner references name kinds: `apps/v1` and `DaemonSet`. */
  ofKind(apiVersion: string, kind: string): Resource | undefined {
    const slash = apiVersion.indexOf('/');
    return this.#byKind.get(`${slash < 0 ? '' : apiVersion.slice(0, slash)}/${kind}`);
  }

  all(): Iterable<Resource> {
    return this.#byPlural.values();
  }
}
