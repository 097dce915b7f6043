/** The relay: everything wired together, from passive to leading to stopped. */

import type { ProcessParameters } from '../../functions/core/configuration/configuration.ts';
import type { Controller } from '../../functions/core/controller.ts';
import { KubeVirt } from '../../functions/core/kinds.ts';
import type { SigningKeys } from '../envelope/signing.ts';
import { Applier } from './apply/apply.ts';
import { Caches } from './cache/caches.ts';
import { Configuration } from './configuration.ts';
import { Delivery } from './delivery/delivery.ts';
import { type FunctionAddresses, FunctionClient } from './delivery/function-client.ts';
import { EventRecorder } from './events/recorder.ts';
import { KubeApi } from './kube/api.ts';
import { RateLimiter } from './kube/limiter.ts';
import { KubeLease } from './leadership/kube-lease.ts';
import { Leadership } from './leadership/leadership.ts';
import { checkTiming, LeaseKeeper, type LeaseTiming } from './leadership/lease-keeper.ts';
import { TableLease } from './leadership/table-lease.ts';
import type { Http, Ports } from './ports.ts';
import { sleep } from './ports.ts';
import { Reflectors } from './reflector/reflectors.ts';

export interface RelayOptions {
  readonly controllers: readonly Controller[];
  readonly cluster: Http;
  readonly functions: FunctionAddresses;
  readonly keys: SigningKeys;
  readonly ports: Ports;
  /** KubeVirt's namespace. */
  readonly namespace: string;
  /** Holder of virt-controller's Lease: the host name, as virt-controller does it. */
  readonly identity: string;
  readonly parameters: ProcessParameters;
  readonly timing: LeaseTiming;
  readonly onLeading?: (token: number) => void;
}

const CLUSTER_ID_RETRY_MS = 1000;

export class Relay {
  readonly #options: RelayOptions;
  readonly #api: KubeApi;
  readonly #leaseApi: KubeApi;
  readonly #caches = new Caches();
  readonly #reflectors: Reflectors;
  readonly #configuration: Configuration;
  #deliveries: readonly Delivery[] = [];
  #leadership: Leadership | undefined;
  #stopped = false;

  constructor(options: RelayOptions) {
    checkTiming(options.timing);
    this.#options = options;
    const { ports, cluster, controllers } = options;
    const limiter = new RateLimiter(ports.clock, ports.timers);
    this.#api = new KubeApi(cluster, ports.timers, (timeoutMs) => limiter.admit(timeoutMs));
    // Lease traffic passes no limiter: a busy leader must not lose its lease to its own writes.
    this.#leaseApi = new KubeApi(cluster, ports.timers, () => Promise.resolve());
    this.#caches.of(KubeVirt);
    for (const c of controllers) {
      this.#caches.of(c.primary);
      for (const read of Object.values(c.reads)) this.#caches.of(read.kind).addIndex(read.index);
    }
    this.#configuration = new Configuration(this.#caches, options.namespace, options.parameters);
    this.#reflectors = new Reflectors(this.#caches, this.#api, ports, () => this.#retryHeldBack());
  }

  /** Whether keys are being delivered. */
  get leading(): boolean {
    return this.#deliveries.length > 0 && (this.#leadership?.mayAct ?? false);
  }

  /** Kinds whose watch is not open. */
  unhealthyKinds(): string[] {
    return this.#reflectors.unhealthy();
  }

  /**
   * Runs until leadership is lost (resolves with the reason; the process is then to end, as virt-controller's does) or until
   * `stop` is called.
   */
  async run(): Promise<string> {
    const { ports, namespace, identity, timing } = this.#options;
    this.#reflectors.start();
    const cluster = await this.#clusterId();
    const client = new FunctionClient(this.#options.functions, this.#options.keys, ports);
    const tableLease = new TableLease(client, cluster, timing, ports, (visit) => this.#visit(visit));
    const kubeLease = new KubeLease(this.#leaseApi, namespace, identity, timing, ports);
    const leadership = new Leadership(
      new LeaseKeeper(kubeLease, timing, ports),
      new LeaseKeeper(tableLease, timing, ports),
      tableLease,
    );
    this.#leadership = leadership;
    if (this.#stopped) return 'stopped';
    const reason = await leadership.run((token) => void this.#lead(token, cluster, client, leadership));
    this.#halt();
    return this.#stopped ? 'stopped' : reason;
  }

  /** Ends delivering, then gives the leases back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#halt();
    await this.#leadership?.release();
  }

  async #lead(token: number, cluster: string, client: FunctionClient, leadership: Leadership): Promise<void> {
    const { ports, controllers } = this.#options;
    // What was seen before may be older than what the last leader wrote: every kind is listed anew first.
    await this.#reflectors.relistAll(token);
    if (!leadership.mayAct) return;
    const parts = {
      caches: this.#caches,
      reflectors: this.#reflectors,
      client,
      applier: new Applier(this.#api, this.#caches, leadership),
      api: this.#api,
      ports,
      permit: leadership,
      cluster,
      configuration: () => this.#configuration.current,
      token: () => leadership.token,
      onStaleToken: () => leadership.revoke(),
    };
    const deliveries = controllers.map(
      (c) => new Delivery(c, parts, new EventRecorder(this.#api, ports, c.eventSource, leadership)),
    );
    for (const delivery of deliveries) this.#revisitOnConfiguration(delivery);
    this.#caches.onChange((change) => {
      for (const delivery of deliveries) delivery.changed(change);
    });
    this.#deliveries = deliveries;
    for (const delivery of deliveries) delivery.start();
    ports.log.info('leading', { token });
    this.#options.onLeading?.(token);
  }

  #revisitOnConfiguration(delivery: Delivery): void {
    const part = delivery.controller.revisitWhen;
    const read = () => {
      const now = this.#configuration.current;
      return now === undefined || part === undefined ? '' : JSON.stringify(part(now) ?? null);
    };
    let before = read();
    let known = this.#configuration.current !== undefined;
    this.#configuration.onChange(() => {
      const now = read();
      if (now !== before && known) delivery.visitAll();
      before = now;
      if (!known) delivery.retryHeldBack();
      known = true;
    });
  }

  #retryHeldBack(): void {
    for (const delivery of this.#deliveries) delivery.retryHeldBack();
  }

  #visit(visit: readonly string[]): void {
    for (const text of visit) {
      const slash = text.indexOf('/');
      this.#deliveries.find((d) => d.controller.name === text.slice(0, slash))?.visit(text.slice(slash + 1));
    }
  }

  #halt(): void {
    for (const delivery of this.#deliveries) delivery.stop();
    this.#reflectors.stop();
  }

  /** The uid of the namespace kube-system names the cluster. */
  async #clusterId(): Promise<string> {
    const { ports } = this.#options;
    for (;;) {
      try {
        const namespace = await this.#leaseApi.get('/api/v1/namespaces/kube-system');
        if (namespace?.metadata.uid !== undefined) return namespace.metadata.uid;
      } catch (e) {
        ports.log.warn('the API server does not answer yet', { error: String(e) });
      }
      await sleep(ports.timers, CLUSTER_ID_RETRY_MS);
    }
  }
}
