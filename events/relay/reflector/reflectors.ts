/**
 * One reflector per kind: built-in kinds from the start, custom kinds from the moment their definition is established, those
 * on demand not before somebody looks for something in them.
 */
import type { Kind } from '../../../functions/core/kind.ts';
import type { Caches } from '../cache/caches.ts';
import { KindCache } from '../cache/kind-cache.ts';
import type { KubeApi } from '../kube/api.ts';
import type { Ports } from '../ports.ts';
import { Reflector } from './reflector.ts';
import { CustomResourceDefinition, definitionNameOf, isBuiltIn, isEstablished } from './served-kinds.ts';

/** `synced`: its cache can be read. `unserved`: the API server has no such kind, so there are none. `unknown`: not listed yet. */
export type KindState = 'synced' | 'unserved' | 'unknown';

/** How one kind is followed. */
export interface KindHealth {
  readonly kind: string;
  /** Why it is not followed as it should be; `undefined`: it is. */
  readonly trouble: string | undefined;
  /** Time since the last word about it. */
  readonly silentMs: number;
  /** Objects known. */
  readonly objects: number;
}

export class Reflectors {
  readonly #caches: Caches;
  readonly #api: KubeApi;
  readonly #ports: Ports;
  readonly #running = new Map<string, Reflector>();
  readonly #definitions = new KindCache(CustomResourceDefinition);
  readonly #definitionReflector: Reflector;
  /** Kinds on demand in which somebody looked. */
  readonly #demanded = new Set<string>();
  readonly #onSynced: (kind: Kind) => void;
  #token = 0;

  /** `onSynced` is told when a kind's state becomes known: it has been listed, or is not served any more. */
  constructor(caches: Caches, api: KubeApi, ports: Ports, onSynced: (kind: Kind) => void) {
    this.#caches = caches;
    this.#api = api;
    this.#ports = ports;
    this.#onSynced = onSynced;
    this.#definitionReflector = new Reflector(this.#definitions, api, ports);
  }

  start(): void {
    this.#definitions.onPosition(() => this.#follow());
    for (const cache of this.#caches.all()) {
      if (isBuiltIn(cache.kind) && this.#isWanted(cache.kind)) this.#startKind(cache);
    }
    this.#definitionReflector.start(0);
  }

  stop(): void {
    this.#definitionReflector.stop();
    for (const reflector of this.#running.values()) reflector.stop();
    this.#running.clear();
  }

  stateOf(kind: Kind): KindState {
    if (this.#caches.of(kind).position !== undefined) return 'synced';
    if (isBuiltIn(kind) || this.#definitions.position === undefined) return 'unknown';
    return this.#isEstablished(kind) ? 'unknown' : 'unserved';
  }

  /** Somebody looks in this kind: it is followed from now on, if it was not. */
  demand(kind: string): void {
    const cache = this.#caches.named(kind);
    if (cache === undefined || this.#demanded.has(kind)) return;
    this.#demanded.add(kind);
    const isServed = isBuiltIn(cache.kind) || this.#isEstablished(cache.kind);
    if (isServed && !this.#running.has(kind)) this.#startKind(cache);
  }

  /** Lists every kind again from the newest state, under a new token; resolves when all are swapped in. */
  async relistAll(token: number): Promise<void> {
    this.#token = token;
    await this.#definitionReflector.relist(token);
    await Promise.all([...this.#running.values()].map((r) => r.relist(token)));
  }

  /** How every kind is followed. A kind that is not served is none. */
  health(): KindHealth[] {
    return [this.#definitionReflector, ...this.#running.values()].map((r) => ({
      kind: r.cache.kind.kind,
      trouble: r.trouble,
      silentMs: r.silentMs,
      objects: r.cache.size,
    }));
  }

  /** How often listing or watching the kind has failed so far. */
  errorsOf(kind: Kind): number {
    return this.#running.get(kind.kind)?.errors ?? 0;
  }

  #follow(): void {
    for (const cache of this.#caches.all()) {
      const kind = cache.kind;
      if (isBuiltIn(kind)) continue;
      const established = this.#isEstablished(kind);
      const running = this.#running.get(kind.kind);
      if (established && running === undefined && this.#isWanted(kind)) this.#startKind(cache);
      else if (!established && running !== undefined) {
        running.stop();
        this.#running.delete(kind.kind);
        cache.forget();
        this.#onSynced(kind);
        this.#ports.log.info('kind is no longer served', { kind: kind.kind });
      }
    }
  }

  #isEstablished(kind: Kind): boolean {
    return isEstablished(this.#definitions.get(definitionNameOf(kind)));
  }

  #isWanted(kind: Kind): boolean {
    return kind.onDemand !== true || this.#demanded.has(kind.kind);
  }

  #startKind(cache: KindCache): void {
    const reflector = new Reflector(cache, this.#api, this.#ports);
    this.#running.set(cache.kind.kind, reflector);
    let known = false;
    cache.onPosition(() => {
      if (known) return;
      known = true;
      this.#onSynced(cache.kind);
    });
    reflector.start(this.#token);
  }
}
