import type { ClusterConfiguration, ProcessParameters } from '../../functions/core/configuration/configuration.ts';
import { resolveConfiguration } from '../../functions/core/configuration/resolve.ts';
import { KubeVirt } from '../../functions/core/kinds.ts';
import type { KubeVirt as KubeVirtObject } from '../../functions/core/objects.ts';
import type { Caches } from './cache/caches.ts';

/** The cluster's configuration as the KubeVirt object gives it; the last valid one stays (runtime.md 8). */
export class Configuration {
  readonly #namespace: string;
  readonly #parameters: ProcessParameters;
  readonly #caches: Caches;
  readonly #listeners: ((now: ClusterConfiguration) => void)[] = [];
  #current: ClusterConfiguration | undefined;

  constructor(caches: Caches, namespace: string, parameters: ProcessParameters) {
    this.#caches = caches;
    this.#namespace = namespace;
    this.#parameters = parameters;
    caches.of(KubeVirt).onChange(() => this.#resolve());
  }

  /** `undefined` until a KubeVirt object exists. */
  get current(): ClusterConfiguration | undefined {
    return this.#current;
  }

  onChange(listener: (now: ClusterConfiguration) => void): void {
    this.#listeners.push(listener);
  }

  #resolve(): void {
    const objects = [...this.#caches.of(KubeVirt).values()] as KubeVirtObject[];
    if (this.#current === undefined && objects.length === 0) return;
    this.#current = resolveConfiguration(this.#current, objects, this.#namespace, this.#parameters);
    for (const listener of this.#listeners) listener(this.#current);
  }
}
