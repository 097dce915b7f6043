/**
 * The whole system in one process under virtual time: relays, functions and the table are the product's own code, the API server
 * and the platform under the functions are models. Everything that happens follows from the seed and the injector.
 */
import { ApiServer } from '../api-server/api-server.ts';
import type { ApiRequest, ApiResponse } from '../api-server/ports.ts';
import type { CustomResourceDefinition } from '../api-server/resources/custom-resource.ts';
import type { Injector } from '../faults/injector.ts';
import type { Places } from '../faults/places.ts';
import { TableModel } from '../table/table-model.ts';
import { FunctionHost, type SimulatedController } from './function-host.ts';
import type { Exchange } from './function-link.ts';
import { NodeAgents } from './node-agents.ts';
import { preparedObjects, preparedStatuses } from './prepared-cluster.ts';
import { SeededRandom } from './random.ts';
import { RelaySlot } from './relay-slot.ts';
import { Replays } from './replays.ts';
import { Sweeps } from './sweeps.ts';
import { Trace } from './trace.ts';
import { VirtualTime } from './virtual-time.ts';

export interface WorldOptions {
  readonly seed: number;
  readonly definitions: readonly CustomResourceDefinition[];
  readonly controllers: readonly SimulatedController[];
  readonly injector: Injector;
  readonly replicas?: number;
  /** Latencies are drawn from 1 to this; 1: they are all alike. */
  readonly slowestMs?: number;
  readonly coldStarts?: boolean;
  readonly writeTrace?: (line: string) => void;
}

/** A request of somebody to the API server, and its answer. */
export interface Served {
  readonly who: string;
  readonly request: ApiRequest;
  readonly response: ApiResponse;
}

/** A write that was accepted. */
export interface Write {
  readonly atMs: number;
  readonly who: string;
  readonly method: string;
  readonly path: string;
  /** Of an event: `<namespace>/<name>` of what it tells about. */
  readonly about?: string;
}

/** kube-controller-manager acts that long after what it acts on. */
const BACKGROUND_MS = 20;

export class World {
  readonly time = new VirtualTime();
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly injector: Injector;
  readonly server: ApiServer;
  readonly tableModel = new TableModel();
  readonly functions: FunctionHost;
  readonly replays = new Replays();
  readonly relays: readonly RelaySlot[];
  readonly agents: NodeAgents;
  readonly sweeps: Sweeps;
  readonly coldStarts: boolean;
  /** The places of the injector that were passed. */
  readonly places = { deliveries: [], api: [], watchEvents: [], table: [] } as Record<keyof Places, string[]>;
  /** Writes of relays that changed something, in order. */
  readonly writes: Write[] = [];
  /** Are told of each delivery that was answered, and of each request to the API server. */
  readonly onExchange: ((exchange: Exchange) => void)[] = [];
  readonly onRequest: ((request: Served) => void)[] = [];
  /** What was found wrong while it ran. */
  readonly complaints: string[] = [];
  readonly #slowestMs: number;
  #isArmed = false;
  #backgroundIsDue = false;
  #led: (() => void) | undefined;

  constructor(options: WorldOptions) {
    this.random = new SeededRandom(options.seed);
    this.trace = new Trace(() => this.time.now, options.writeTrace);
    this.injector = options.injector;
    this.#slowestMs = options.slowestMs ?? 1;
    this.coldStarts = options.coldStarts ?? false;
    const { time, random } = this;
    const ports = { now: () => time.now, random: () => random.next(), uuid: () => random.uuid() };
    this.server = new ApiServer(ports, options.definitions);
    this.functions = new FunctionHost(this, options.controllers);
    this.relays = Array.from({ length: options.replicas ?? 1 }, (_, i) => new RelaySlot(this, i));
    this.agents = new NodeAgents(this);
    this.sweeps = new Sweeps(this);
  }

  /** Whether faults happen: from the moment at which the first relay leads. */
  get isArmed(): boolean {
    return this.#isArmed;
  }

  /** The fencing token of the lease as it is stored; 0 before the first. */
  get leaseToken(): number {
    const row = this.tableModel.items.find((item) => item['sk']?.S === 'lease');
    return Number(row?.['token']?.N ?? 0);
  }

  latencyMs(): number {
    return this.#slowestMs <= 1 ? 1 : this.random.between(1, this.#slowestMs);
  }

  /** Prepares the cluster, starts the relays and resolves when one leads. Run it under `time.drive`. */
  async start(): Promise<void> {
    for (const { path, object } of preparedObjects) this.serve('admin', { method: 'POST', path, body: object });
    for (const { path, object } of preparedStatuses) {
      const contentType = 'application/merge-patch+json';
      this.serve('admin', { method: 'PATCH', path, body: object, contentType });
    }
    const led = new Promise<void>((resolve) => {
      this.#led = resolve;
    });
    this.agents.start();
    this.sweeps.start();
    for (const relay of this.relays) relay.start();
    await led;
  }

  onLeading(relay: string, token: number): void {
    this.trace.say(relay, () => `leads under token ${token}`);
    this.#isArmed = true;
    this.#led?.();
  }

  /** One request of somebody to the API server, at this moment. */
  serve(who: string, request: ApiRequest): ApiResponse {
    const { server, time } = this;
    const before = server.resourceVersion;
    const response = server.request(request);
    for (const tell of this.onRequest) tell({ who, request, response });
    if (request.method === 'GET') return response;
    const { method, path } = request;
    this.trace.say(who, () => `${method} ${path} -> ${response.status} ${briefly(request.body)}`);
    if (server.resourceVersion === before) return response;
    this.#scheduleBackground();
    if (who.startsWith('relay') && !path.includes('/leases')) {
      this.writes.push({ atMs: time.now, who, method, path, ...aboutOf(response.body) });
    }
    return response;
  }

  #scheduleBackground(): void {
    if (this.#backgroundIsDue) return;
    this.#backgroundIsDue = true;
    this.time.after(BACKGROUND_MS, () => {
      this.#backgroundIsDue = false;
      if (this.server.background()) this.#scheduleBackground();
    });
  }
}

function aboutOf(object: unknown): Pick<Write, 'about'> {
  const { kind, involvedObject } = object as { kind?: string; involvedObject?: { namespace?: string; name?: string } };
  if (kind !== 'Event' || involvedObject === undefined) return {};
  const { namespace, name } = involvedObject;
  return { about: namespace === undefined ? `${name}` : `${namespace}/${name}` };
}

function briefly(body: unknown): string {
  const text = JSON.stringify(body) ?? '';
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}
