/**
 * One controller's way from a changed key to its function and back: queue, snapshot, delivery, application, and when to come
 * again.
 *
 * ```text
 * change -> subscriptions -> queue -> snapshot -> function -> actions -> API server
 *              ^                                                  |
 *              +---------- own writes, as watch events <----------+
 * ```
 */
import type { ActionResult } from '../../../functions/core/action.ts';
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import type { Controller } from '../../../functions/core/controller.ts';
import { kindNamed } from '../../../functions/core/kinds.ts';
import { keyFor, keyOf } from '../../../functions/core/object-index.ts';
import type { AnswerItem, ReconcileItem } from '../../envelope/envelope.ts';
import type { Applied, Applier, Conflict, WritePermit } from '../apply/apply.ts';
import type { Caches } from '../cache/caches.ts';
import type { Change } from '../cache/kind-cache.ts';
import type { EventRecorder } from '../events/recorder.ts';
import type { KubeApi } from '../kube/api.ts';
import { pathOf } from '../kube/paths.ts';
import type { Ports } from '../ports.ts';
import { sleep } from '../ports.ts';
import { WorkQueue } from '../queue/work-queue.ts';
import type { Reflectors } from '../reflector/reflectors.ts';
import { buildSnapshot, type Snapshot } from '../subscriptions/snapshot.ts';
import { Subscriptions } from '../subscriptions/subscriptions.ts';
import { backOffMs } from './back-off.ts';
import { type Batch, batches } from './batch.ts';
import { type FunctionClient, FunctionRefusal } from './function-client.ts';
import { KeyMemories } from './key-memory.ts';
import { PositionWaiters } from './position-waiters.ts';

/** What deliveries of all controllers share. */
export interface DeliveryParts {
  readonly caches: Caches;
  readonly reflectors: Reflectors;
  readonly client: FunctionClient;
  readonly applier: Applier;
  readonly api: KubeApi;
  readonly ports: Ports;
  readonly permit: WritePermit;
  readonly cluster: string;
  /** `undefined` while no KubeVirt object exists: keys wait. */
  readonly configuration: () => ClusterConfiguration | undefined;
  readonly token: () => number;
  /** The function says that the token is not the lease's. */
  readonly onStaleToken: () => void;
}

/** Longer than the function's own limit, so that it is the function that gives up first. */
const FUNCTION_TIMEOUT_MS = 35_000;
const BUSY_MS = 200;
/** After a lost race: how long the watch may take to bring the newer version before it is read. */
const CATCH_UP_MS = 100;
const MAX_CONFLICT_PAUSE_MS = 16_000;

export class Delivery {
  readonly controller: Controller;
  readonly #parts: DeliveryParts;
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue;
  readonly #subscriptions: Subscriptions;
  readonly #waiters: PositionWaiters;
  readonly #memories = new KeyMemories();
  /** Keys held back because a kind that they read is not known yet. */
  readonly #heldBack = new Set<string>();
  /** Keys whose last batch failed: they travel alone. */
  readonly #alone = new Set<string>();
  #running = false;
  #pumping = false;

  constructor(controller: Controller, parts: DeliveryParts, recorder: EventRecorder) {
    this.controller = controller;
    this.#parts = parts;
    this.#recorder = recorder;
    this.#queue = new WorkQueue(parts.ports.clock, parts.ports.timers, () => this.#pump());
    this.#subscriptions = new Subscriptions(controller, parts.caches);
    const kinds = [controller.primary, ...Object.values(controller.reads).map((r) => r.kind)];
    this.#waiters = new PositionWaiters(parts.caches, kinds, (key) => this.#queue.add(key));
  }

  get queueDepth(): number {
    return this.#queue.depth;
  }

  /** Begins to deliver, with every key of the primary's cache. */
  start(): void {
    this.#running = true;
    this.visitAll();
  }

  stop(): void {
    this.#running = false;
    this.#queue.close();
  }

  visitAll(): void {
    for (const key of this.#parts.caches.of(this.controller.primary).keys()) this.#queue.add(key);
  }

  visit(key: string): void {
    this.#queue.add(key);
  }

  changed(change: Change): void {
    if (!this.#running) return;
    for (const key of this.#subscriptions.concerned(change)) this.#queue.add(key);
  }

  /** A kind became known, or the configuration did: keys that waited for it are looked at again. */
  retryHeldBack(): void {
    const keys = [...this.#heldBack];
    this.#heldBack.clear();
    for (const key of keys) this.#queue.add(key);
    this.#pump();
  }

  /** Takes what waits as soon as the present event has been dealt with, so that what changes together travels together. */
  #pump(): void {
    if (this.#pumping || !this.#running) return;
    this.#pumping = true;
    queueMicrotask(() => {
      this.#pumping = false;
      this.#takeAndDeliver();
    });
  }

  #takeAndDeliver(): void {
    const configuration = this.#parts.configuration();
    if (configuration === undefined || !this.#parts.permit.mayAct) return;
    const together: ReconcileItem[] = [];
    while (this.#running && this.#queue.inFlight < this.controller.concurrency) {
      const key = this.#queue.take();
      if (key === undefined) break;
      const item = this.#item(key);
      if (item === undefined) continue;
      if (this.#alone.delete(key)) void this.#deliver([item], configuration);
      else together.push(item);
    }
    if (together.length > 0) void this.#deliver(together, configuration);
  }

  /** The key's snapshot; subscriptions are replaced in the same step. `undefined`: held back. */
  #item(key: string): ReconcileItem | undefined {
    const built = buildSnapshot(this.controller, key, this.#parts.caches, this.#parts.reflectors);
    if (built.type === 'unknown') {
      this.#heldBack.add(key);
      this.#queue.done(key);
      return undefined;
    }
    const { primary, reads, positions, touched }: Snapshot = built.snapshot;
    this.#subscriptions.replace(key, touched);
    const memory = this.#memories.of(key);
    return { key, attempt: memory.unanswered + 1, primary, reads, results: memory.results, positions };
  }

  async #deliver(items: readonly ReconcileItem[], configuration: ClusterConfiguration): Promise<void> {
    const { ports, cluster, token, caches } = this.#parts;
    const listedToken = caches.of(this.controller.primary).listedUnder;
    const base = { cluster, token: token(), timeMs: ports.clock.now(), listedToken, configuration };
    await Promise.all(batches(items, base, () => ports.random.uuid()).map((batch) => this.#send(batch)));
  }

  async #send(batch: Batch): Promise<void> {
    const { client, ports, onStaleToken, token } = this.#parts;
    const { request } = batch;
    let answers: readonly AnswerItem[];
    try {
      answers = (await client.reconcile(this.controller.name, request, batch.body, FUNCTION_TIMEOUT_MS)).items;
    } catch (e) {
      ports.log.warn('delivery failed', {
        controller: this.controller.name,
        keys: request.items.length,
        error: e instanceof Error ? e.message : String(e),
      });
      if (e instanceof FunctionRefusal && e.problem === 'stale-token') onStaleToken();
      for (const { key } of request.items) this.#notAnswered(key);
      return;
    }
    await Promise.all(
      answers.map(async (answer, i) => {
        const item = request.items[i];
        this.#memories.answered(answer.key);
        if (item !== undefined && request.token === token()) await this.#follow(answer, item);
        this.#queue.done(answer.key);
      }),
    );
  }

  /** A function that is slow, down, or answers garbage costs its keys a back-off, nothing else. */
  #notAnswered(key: string): void {
    this.#alone.add(key);
    this.#queue.addAfter(key, backOffMs(this.#memories.unanswered(key)));
    this.#queue.done(key);
  }

  async #follow(answer: AnswerItem, item: ReconcileItem): Promise<void> {
    const { key } = answer;
    const applied: Applied = await this.#parts.applier.apply(answer.actions, this.#recorder);
    const results =
      applied.conflict === undefined ? applied.results : await this.#catchUp(applied.results, applied.conflict, item);
    const conflicts = this.#memories.learnt(key, results, applied.conflict !== undefined);
    const failed = results.find((r) => r.status === 'failed');
    if (failed !== undefined) {
      this.#parts.ports.log.info('action failed', { controller: this.controller.name, key, ...failed });
      // Its condition and event are written by the next pass, which comes at once and has its result.
      this.#queue.add(key);
      return;
    }
    if (conflicts === 1) this.#queue.add(key);
    else if (conflicts > 1)
      this.#queue.addAfter(key, Math.min(MAX_CONFLICT_PAUSE_MS, CATCH_UP_MS * 2 ** (conflicts - 2)));
    this.#schedule(key, answer.outcome);
  }

  #schedule(key: string, outcome: AnswerItem['outcome']): void {
    switch (outcome.type) {
      case 'done':
        if (this.#parts.caches.of(this.controller.primary).get(key) === undefined) this.#subscriptions.drop(key);
        return;
      case 'requeue-after':
      case 'retry':
        this.#queue.addAfter(key, outcome.afterMs);
        return;
      case 'stale':
        this.#waiters.wait(key, outcome.kind, outcome.resourceVersion);
        this.#queue.addAfter(key, outcome.afterMs);
        return;
      case 'busy':
        this.#queue.addAfter(key, BUSY_MS * (1 + this.#parts.ports.random.next()));
        return;
      case 'left':
        this.#queue.add(key);
        return;
    }
  }

  /**
   * After a race lost over a version: waits for the version that won, reads it if the watch does not bring it. Where nobody had
   * won after all (a patch that is invalid in itself looks like a failed test), the conflict is a failure.
   */
  async #catchUp(
    results: readonly ActionResult[],
    conflict: Conflict,
    item: ReconcileItem,
  ): Promise<readonly ActionResult[]> {
    if (conflict.over === 'precondition') return results;
    const { caches, ports, api } = this.#parts;
    const { target } = conflict;
    const kind = kindNamed(target.kind);
    const cache = caches.named(target.kind);
    const key = keyFor(target.namespace, target.name);
    const before = conflict.version ?? versionIn(item, target.kind, key);
    if (kind === undefined || cache === undefined || before === undefined) return results;
    const moved = () => cache.get(key)?.metadata.resourceVersion !== before;
    if (!moved()) await sleep(ports.timers, CATCH_UP_MS);
    if (moved()) return results;
    try {
      const live = await api.get(pathOf(kind, target.namespace, target.name));
      const known = cache.get(key);
      if (live !== undefined) cache.wrote(live);
      else if (known?.metadata.uid !== undefined) cache.removed(key, known.metadata.uid);
      if (live?.metadata.resourceVersion !== before) return results;
    } catch {
      return results;
    }
    return results.map((r) =>
      r.status === 'conflict' ? { id: r.id, status: 'failed', code: 422, reason: 'Invalid', message: r.message } : r,
    );
  }
}

/** The version of an object that the function was shown. */
function versionIn(item: ReconcileItem, kind: string, key: string): string | undefined {
  for (const read of [item.primary, ...Object.values(item.reads)].flat()) {
    if (read !== null && read.kind === kind && keyOf(read) === key) return read.metadata.resourceVersion;
  }
  return undefined;
}
