/** The relay: everything wired together, from passive to leading to stopped. */

import type { ClusterConfiguration, ProcessParameters } from '../../functions/core/configuration/configuration.ts';
import type { Controller } from '../../functions/core/controller.ts';
import { keyOf } from '../../functions/core/object-index.ts';
import { shadowOf } from '../../functions/core/shadow.ts';
import type { Writes } from '../../functions/core/writes.ts';
import type { SigningKeys } from '../envelope/signing.ts';
import { Gatekeeper } from './allow-list/gatekeeper.ts';
import { Refusals } from './allow-list/refusals.ts';
import { Applier } from './apply/apply.ts';
import { Caches } from './cache/caches.ts';
import { Configuration } from './configuration.ts';
import { Delivery } from './delivery/delivery.ts';
import { type FunctionAddresses, FunctionClient } from './delivery/function-client.ts';
import { drawVisitPeriod, visitPeriodically } from './delivery/periodic-visits.ts';
import { EventRecorder } from './events/recorder.ts';
import { EventRecorders } from './events/recorders.ts';
import { type HealthAnswer, Healthz } from './health/healthz.ts';
import { KubeApi } from './kube/api.ts';
import { clientLimits } from './kube/client-limits.ts';
import { RateLimiter } from './kube/limiter.ts';
import { KubeLease } from './leadership/kube-lease.ts';
import { Leadership } from './leadership/leadership.ts';
import { checkTiming, LeaseKeeper, type LeaseTiming } from './leadership/lease-keeper.ts';
import { TableLease } from './leadership/table-lease.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Standing } from './metrics/relay-metrics.ts';
import { registerShadowMetrics } from './metrics/shadow-metrics.ts';
import { Telemetry } from './metrics/telemetry.ts';
import { VmLabelsConfig } from './metrics/vm/labels-config.ts';
import type { Cancel, Http, Ports } from './ports.ts';
import { sleep } from './ports.ts';
import { followedKinds, waitedFor } from './reflector/followed-kinds.ts';
import { Reflectors } from './reflector/reflectors.ts';
import { Sealer } from './sealing/sealer.ts';
import { sealingKey } from './sealing/sealing-key.ts';
import { readOnly } from './shadow/read-only-http.ts';
import { NEVER, Shadow, type ShadowReport } from './shadow/shadow.ts';
import type { ShadowTiming } from './shadow/shadow-timing.ts';

export interface RelayOptions {
  readonly controllers: readonly Controller[];
  /** What each controller may write; one that is not named here may write nothing. */
  readonly writes: readonly Writes[];
  readonly cluster: Http;
  /** The same server over connections of its own: leases and probes do not wait for writes that a slow webhook holds up. */
  readonly leases: Http;
  /** Base address of the cluster's API server, as metrics name it. */
  readonly server: string;
  /** Where everything is counted. */
  readonly metrics: Metrics;
  readonly functions: FunctionAddresses;
  readonly keys: SigningKeys;
  readonly ports: Ports;
  /** KubeVirt's namespace. */
  readonly namespace: string;
  /** Holder of virt-controller's Lease: the host name, as virt-controller does it. */
  readonly identity: string;
  readonly parameters: ProcessParameters;
  readonly timing: LeaseTiming;
  /** There: the relay is a shadow. */
  readonly shadow?: ShadowTiming;
  /** Is told when keys begin to be delivered, to a shadow too. */
  readonly onLeading?: (token: number) => void;
}

const CLUSTER_ID_RETRY_MS = 1000;

export class Relay {
  readonly #options: RelayOptions;
  readonly #api: KubeApi;
  readonly #leaseApi: KubeApi;
  /** Actions of functions that were not allowed. */
  readonly refusals = new Refusals();
  readonly #caches: Caches;
  readonly #reflectors: Reflectors;
  readonly #configuration: Configuration;
  readonly #telemetry: Telemetry;
  readonly #vmLabels: VmLabelsConfig;
  readonly #health: Healthz;
  readonly #visitPeriodMs: number;
  readonly #shadow: Shadow | undefined;
  #cancelVisits: readonly Cancel[] = [];
  #deliveries: readonly Delivery[] = [];
  #leadership: Leadership | undefined;
  #stopped = false;
  #halted = false;

  constructor(options: RelayOptions) {
    checkTiming(options.timing);
    this.#options = options;
    const { ports, controllers, metrics } = options;
    this.#caches = new Caches(({ kind, old, new: now }, error) => {
      const object = now ?? old;
      const key = object === undefined ? '' : keyOf(object);
      ports.log.error('a change was not taken by all', { kind: kind.kind, key, error: String(error) });
    });
    this.#telemetry = new Telemetry(metrics, ports.clock, options.server, controllers);
    this.#visitPeriodMs = drawVisitPeriod(ports.random);
    const apiServer = options.shadow === undefined ? options.cluster : readOnly(options.cluster);
    const cluster = this.#telemetry.api.measured(apiServer);
    const limiter = new RateLimiter(ports.clock, ports.timers);
    this.#api = new KubeApi(cluster, ports.timers, (timeoutMs, request) =>
      this.#telemetry.api.limited(request, () => limiter.admit(timeoutMs)),
    );
    // Lease traffic passes no limiter: a busy leader must not lose its lease to its own writes.
    const leases = options.shadow === undefined ? options.leases : readOnly(options.leases);
    this.#leaseApi = new KubeApi(this.#telemetry.api.measured(leases), ports.timers, () => Promise.resolve());
    for (const kind of followedKinds(controllers)) this.#caches.of(kind);
    for (const { reads } of controllers)
      for (const read of Object.values(reads)) this.#caches.of(read.kind).addIndex(read.index);
    this.#configuration = new Configuration(this.#caches, options.namespace, options.parameters);
    this.#configuration.onChange((now) => {
      const { qps, burst } = clientLimits(now);
      limiter.configure(qps, burst);
    });
    this.#reflectors = new Reflectors(this.#caches, this.#api, ports, () => this.#retryHeldBack());
    this.#vmLabels = new VmLabelsConfig(this.#api, ports, options.namespace);
    this.#shadow = options.shadow === undefined ? undefined : this.#makeShadow(options.shadow);
    this.#health = new Healthz(
      this.#leaseApi,
      this.#reflectors,
      () => this.#configuration.current?.resourceVersion ?? '',
    );
    const scene = {
      caches: this.#caches,
      configuration: () => this.#configuration.current,
      vmLabels: () => this.#vmLabels.filter,
    };
    this.#telemetry.watch(
      scene,
      () => this.leading,
      () => this.#standing(),
      () => this.refusals.counts,
    );
  }

  /** What /leader says: keys are delivered, and the kinds that virt-controller waits for are known (runtime.md 7). */
  get leading(): boolean {
    return this.#leads && waitedFor.every((kind) => this.#reflectors.stateOf(kind) === 'synced');
  }

  /** What a shadow has seen so far; `undefined`: this is none. */
  get shadowReport(): ShadowReport | undefined {
    return this.#shadow?.report();
  }

  /** What /healthz says. */
  healthz(): Promise<HealthAnswer> {
    return this.#health.answer();
  }

  /** Tells of the configuration now, if there is one, and of every later one. */
  onConfiguration(listener: (now: ClusterConfiguration) => void): void {
    if (this.#configuration.current !== undefined) listener(this.#configuration.current);
    this.#configuration.onChange(listener);
  }

  get #leads(): boolean {
    return this.#shadow === undefined && this.#deliveries.length > 0 && (this.#leadership?.mayAct ?? false);
  }

  /**
   * Runs until leadership is lost (resolves with the reason; the process is then to end, as virt-controller's does) or until
   * `stop` is called.
   */
  async run(): Promise<string> {
    const { ports, namespace, identity, timing } = this.#options;
    this.#reflectors.start();
    this.#vmLabels.start();
    const id = await this.#clusterId();
    const cluster = this.#shadow === undefined ? id : shadowOf(id);
    const client = new FunctionClient(this.#options.functions, this.#options.keys, ports);
    const tableLease = new TableLease(client, cluster, timing, ports, (visit) => this.#visit(visit));
    const kubeLease = new KubeLease(this.#leaseApi, namespace, identity, timing, ports);
    const leadership = new Leadership(
      this.#shadow === undefined ? new LeaseKeeper(kubeLease, timing, ports) : undefined,
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
    const { ports, controllers, writes, namespace } = this.#options;
    // Nothing depends on it that all relays seal alike, and a shadow may not make the Secret.
    const key =
      this.#shadow === undefined
        ? sealingKey(this.#api, namespace, ports, () => leadership.mayAct)
        : Promise.resolve(`${ports.random.uuid()}${ports.random.uuid()}`);
    // What was seen before may be older than what the last leader wrote: every kind is listed anew first.
    await this.#reflectors.relistAll(token);
    const sealing = await key;
    if (!leadership.mayAct || sealing === undefined) return;
    const sealer = new Sealer(sealing);
    const parts = {
      caches: this.#caches,
      reflectors: this.#reflectors,
      client: this.#telemetry.deliveries.measured(client),
      applier: this.#shadow?.applier ?? new Applier(this.#api, this.#caches, leadership),
      gatekeeperOf: (c: Controller) => {
        const own = writes.find((w) => w.controller === c.name);
        return new Gatekeeper(c, own, sealer, this.refusals, ports.log);
      },
      api: this.#api,
      ports,
      permit: leadership,
      cluster,
      configuration: () => this.#configuration.current,
      token: () => leadership.token,
      onStaleToken: () => leadership.revoke(),
      onApplied: this.#telemetry.applied,
      onTooLarge: (controller: string) => this.#telemetry.deliveries.tooLarge(controller),
    };
    const mayTell = this.#shadow === undefined ? leadership : NEVER;
    const recorders = new EventRecorders(
      (component) => new EventRecorder(this.#api, ports, component, mayTell, this.#telemetry.eventFate(component)),
    );
    const deliveries = controllers.map(
      (c) => new Delivery(c, parts, recorders.of(c), this.#telemetry.queueObserver(c)),
    );
    for (const delivery of deliveries) this.#revisitOnConfiguration(delivery);
    this.#shadow?.start();
    this.#caches.onChange((change) => {
      for (const delivery of deliveries) delivery.changed(change);
    });
    this.#deliveries = deliveries;
    for (const delivery of deliveries) delivery.start();
    this.#cancelVisits = deliveries.map((d) =>
      visitPeriodically(ports.timers, d.controller.visitEveryMs ?? this.#visitPeriodMs, () => d.visitAll()),
    );
    ports.log.info(this.#shadow === undefined ? 'leading' : 'shadowing', { token });
    this.#options.onLeading?.(token);
  }

  #makeShadow(timing: ShadowTiming): Shadow {
    const { controllers, writes, ports, namespace, metrics } = this.#options;
    const visit = (controller: string, key: string) => this.#visit([`${controller}/${key}`]);
    const caches = this.#caches;
    const shadow = new Shadow({ controllers, writes, caches, api: this.#leaseApi, ports, namespace, timing, visit });
    registerShadowMetrics(metrics, shadow);
    return shadow;
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

  /** `<controller>/<key>`, or `*`: all keys. */
  #visit(visit: readonly string[]): void {
    for (const text of visit) {
      if (text === '*') for (const delivery of this.#deliveries) delivery.visitAll();
      const slash = text.indexOf('/');
      this.#deliveries.find((d) => d.controller.name === text.slice(0, slash))?.visit(text.slice(slash + 1));
    }
  }

  #halt(): void {
    this.#halted = true;
    for (const cancel of this.#cancelVisits) cancel();
    this.#cancelVisits = [];
    this.#vmLabels.stop();
    this.#shadow?.stop();
    for (const delivery of this.#deliveries) delivery.stop();
    this.#reflectors.stop();
  }

  #standing(): Standing {
    return {
      electing: this.#shadow === undefined && this.#leadership !== undefined && !this.#halted,
      leading: this.leading,
      token: this.#leadership?.token ?? 0,
      leases: this.#leadership?.leases ?? [],
      kinds: this.#reflectors.health(),
    };
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
