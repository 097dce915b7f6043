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
import type { ClusterConfiguration } from '../../../functions/core/configuration/configuration.ts';
import type { Controller } from '../../../functions/core/controller.ts';
import { keyOf } from '../../../functions/core/object-index.ts';
import type { AnswerItem, ReconcileItem } from '../../envelope/envelope.ts';
import { MAX_BATCH_BYTES } from '../../envelope/limits.ts';
import type { Gatekeeper } from '../allow-list/gatekeeper.ts';
import type { Applied } from '../apply/apply.ts';
import type { Change } from '../cache/kind-cache.ts';
import type { EventRecorder } from '../events/recorder.ts';
import type { Cancel } from '../ports.ts';
import { type QueueObserver, WorkQueue } from '../queue/work-queue.ts';
import { buildSnapshot, type Snapshot } from '../subscriptions/snapshot.ts';
import { Subscriptions } from '../subscriptions/subscriptions.ts';
import { backOffMs } from './back-off.ts';
import { type Batch, batches } from './batch.ts';
import { CATCH_UP_MS, catchUp } from './catch-up.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { FunctionRefusal } from './function-client.ts';
import { KeyMemories } from './key-memory.ts';
import { PositionWaiters } from './position-waiters.ts';

/** Longer than the function's own limit, so that it is the function that gives up first. */
const FUNCTION_TIMEOUT_MS = 35_000;
const BUSY_MS = 200;
/** How long keys gather while the function has not answered. */
const GATHER_MS = 10;
const LOOK_AGAIN_MS = 1_000;
const MAX_CONFLICT_PAUSE_MS = 16_000;

export class Delivery {
  readonly controller: Controller;
  readonly #parts: DeliveryParts;
  readonly #recorder: EventRecorder;
  readonly #gatekeeper: Gatekeeper;
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
  /** Requests that the function has not answered. */
  #underWay = 0;
  #gathering: Cancel | undefined;
  #lookAgain: Cancel | undefined;

  constructor(controller: Controller, parts: DeliveryParts, recorder: EventRecorder, queueObserver?: QueueObserver) {
    this.controller = controller;
    this.#parts = parts;
    this.#recorder = recorder;
    this.#gatekeeper = parts.gatekeeperOf(controller);
    this.#queue = new WorkQueue(parts.ports.clock, parts.ports.timers, () => this.#pump(), queueObserver);
    this.#subscriptions = new Subscriptions(controller, parts.caches, (...failure) => this.#couldNotJudge(...failure));
    const kinds = [controller.primary, ...Object.values(controller.reads).map((r) => r.kind)];
    this.#waiters = new PositionWaiters(parts.caches, kinds, (key) => this.#queue.add(key));
  }

  get queueDepth(): number {
    return this.#queue.depth;
  }

  /** Begins to deliver, with every key that there is. */
  start(): void {
    this.#running = true;
    this.visitAll();
  }

  stop(): void {
    this.#running = false;
    this.#lookAgain?.();
    this.#queue.close();
  }

  visitAll(): void {
    const { caches } = this.#parts;
    for (const key of caches.of(this.controller.primary).keys()) this.#queue.add(key);
    for (const { kind } of this.controller.keys ?? [])
      for (const object of caches.of(kind).values()) this.changed({ kind, old: undefined, new: object });
  }

  visit(key: string): void {
    this.#queue.add(key);
  }

  /** Enqueues what a change concerns. A controller's own code runs in it; where that fails, the change is looked at again. */
  changed(change: Change, failures = 0): void {
    if (!this.#running) return;
    try {
      for (const key of this.#subscriptions.concerned(change)) this.#queue.add(key);
    } catch (e) {
      this.#couldNotJudge(change, undefined, e);
      const again = failures + 1;
      this.#parts.ports.timers.after(backOffMs(again), () => this.changed(change, again));
    }
  }

  #couldNotJudge(change: Change, key: string | undefined, error: unknown): void {
    const object = change.new ?? change.old;
    const about = key ?? (object === undefined ? '' : keyOf(object));
    const fields = { ...this.#name(about), kind: change.kind.kind, error: String(error) };
    this.#parts.ports.log.error('a change could not be judged', fields);
  }

  /** A kind became known, or the configuration did: keys that waited for it are looked at again. */
  retryHeldBack(): void {
    const keys = [...this.#heldBack];
    this.#heldBack.clear();
    for (const key of keys) this.#queue.add(key);
    this.#pump();
  }

  /**
   * Idle: what waits leaves as soon as the present event has been dealt with, so that what changes together travels together.
   * Busy: it leaves as one batch when the function has answered, or after a moment: a slow answer must not hold up the rest.
   */
  #pump(): void {
    if (this.#underWay === 0) this.#leaveSoon();
    else this.#gathering ??= this.#parts.ports.timers.after(GATHER_MS, () => this.#leaveSoon());
  }

  #leaveSoon(): void {
    this.#gathering?.();
    this.#gathering = undefined;
    if (this.#pumping || !this.#running) return;
    this.#pumping = true;
    queueMicrotask(() => {
      this.#pumping = false;
      this.#takeAndDeliver();
    });
  }

  #takeAndDeliver(): void {
    const configuration = this.#parts.configuration();
    if (configuration === undefined) return;
    if (!this.#parts.permit.mayAct) {
      // A renewal that comes late may make it true again, and nothing else would look at what waits.
      this.#lookAgain ??= this.#parts.ports.timers.after(LOOK_AGAIN_MS, () => {
        this.#lookAgain = undefined;
        this.#pump();
      });
      return;
    }
    const together: ReconcileItem[] = [];
    while (this.#running && this.#queue.inFlight < this.controller.concurrency) {
      const key = this.#queue.take();
      if (key === undefined) break;
      const item = this.#guardedItem(key);
      if (item === undefined) continue;
      if (this.#alone.delete(key)) void this.#deliver([item], configuration);
      else together.push(item);
    }
    if (together.length > 0) void this.#deliver(together, configuration);
  }

  /** A key whose snapshot cannot be made is in nobody's way. */
  #guardedItem(key: string): ReconcileItem | undefined {
    try {
      return this.#item(key);
    } catch (e) {
      this.#parts.ports.log.error('a snapshot could not be made', { ...this.#name(key), error: String(e) });
      this.#notAnswered(key);
      return undefined;
    }
  }

  #name(key: string): { controller: string; key: string } {
    return { controller: this.controller.name, key };
  }

  /** The key's snapshot; subscriptions are replaced in the same step. `undefined`: held back. */
  #item(key: string): ReconcileItem | undefined {
    const built = buildSnapshot(this.controller, key, this.#parts.caches, this.#parts.reflectors);
    if (built.type === 'unknown') {
      this.#parts.reflectors.demand(built.kind);
      this.#heldBack.add(key);
      this.#queue.done(key);
      return undefined;
    }
    const { primary, reads, positions, touched }: Snapshot = this.#gatekeeper.seal(built.snapshot);
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
    if (batch.body.length > MAX_BATCH_BYTES) {
      for (const item of request.items) this.#tooLarge(item, batch.body.length);
      return;
    }
    let answers: readonly AnswerItem[];
    this.#underWay++;
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
    } finally {
      this.#underWay--;
      this.#pump();
    }
    await Promise.all(
      answers.map(async (answer, i) => {
        const item = request.items[i];
        const isPostponed = hasNotLooked(answer);
        if (isPostponed) this.#memories.postponed(answer.key);
        else this.#memories.answered(answer.key);
        try {
          if (item === undefined || request.token !== token()) return this.#queue.done(answer.key);
          if (isPostponed) this.#schedule(answer.outcome, item);
          else await this.#follow(answer, item, request.configuration);
          this.#queue.done(answer.key);
        } catch (e) {
          ports.log.error('an answer could not be followed', { ...this.#name(answer.key), error: String(e) });
          this.#notAnswered(answer.key);
        }
      }),
    );
  }

  /** A key that exceeds the cap by itself waits until its snapshot shrinks: a change of what it reads brings it again. */
  #tooLarge({ key, primary }: ReconcileItem, bytes: number): void {
    this.#parts.ports.log.error('a snapshot is too large', { ...this.#name(key), bytes });
    this.#parts.onTooLarge?.(this.controller.name);
    if (primary !== null) {
      const { apiVersion, kind, metadata } = primary;
      this.#recorder.record({
        id: 'snapshot too large',
        verb: 'event',
        type: 'Warning',
        reason: 'SnapshotTooLarge',
        message: `What the ${this.controller.name} controller must look at takes more than ${MAX_BATCH_BYTES} bytes`,
        regarding: { apiVersion, kind, ...metadata },
      });
    }
    this.#queue.done(key);
  }

  /** A function that is slow, down, or answers garbage costs its keys a back-off, nothing else. */
  #notAnswered(key: string): void {
    this.#alone.add(key);
    this.#queue.addAfter(key, backOffMs(this.#memories.unanswered(key)));
    this.#queue.done(key);
  }

  async #follow(answer: AnswerItem, item: ReconcileItem, configuration: ClusterConfiguration): Promise<void> {
    const { key } = answer;
    const gate = this.#gatekeeper.gateFor(item, configuration);
    const applied: Applied = await this.#parts.applier.apply(answer.actions, this.#recorder, gate, {
      controller: this.controller.name,
      item,
    });
    this.#parts.onApplied?.(this.controller.name, key, answer.actions, applied.results);
    const told = { outcome: answer.outcome.type, actions: applied.results.map(({ id, status }) => `${id}: ${status}`) };
    this.#parts.ports.log.debug('answer followed', { ...this.#name(key), ...told });
    const results =
      applied.conflict === undefined
        ? applied.results
        : await catchUp(this.#parts, applied.results, applied.conflict, item);
    const { conflicts, failures } = this.#memories.learnt(key, results, applied.conflict !== undefined);
    const failed = results.find((r) => r.status === 'failed');
    if (failed !== undefined) {
      // Not `message`: that is the line's own.
      const { id, code, reason, message: why } = failed;
      this.#parts.ports.log.info('action failed', { controller: this.controller.name, key, id, code, reason, why });
      // Its condition and event are written by the next pass, which comes at once and has its result. Where that pass fails too
      // (the API server is down, say), nothing is gained by haste.
      if (failures === 1) this.#queue.add(key);
      else this.#queue.addAfter(key, backOffMs(failures - 1));
      return;
    }
    if (conflicts === 1) this.#queue.add(key);
    else if (conflicts > 1)
      this.#queue.addAfter(key, Math.min(MAX_CONFLICT_PAUSE_MS, CATCH_UP_MS * 2 ** (conflicts - 2)));
    this.#schedule(answer.outcome, item);
  }

  #schedule(outcome: AnswerItem['outcome'], item: ReconcileItem): void {
    const { key } = item;
    switch (outcome.type) {
      case 'done':
        if (isVoid(item)) this.#subscriptions.drop(key);
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
}

/** Whether the pass was put off: nothing of what it was shown is known to the function. */
function hasNotLooked({ outcome, actions }: AnswerItem): boolean {
  return (outcome.type === 'busy' || outcome.type === 'left') && actions.length === 0;
}

/** Whether there was nothing to show: no primary, and nothing that rests on the key alone. */
function isVoid({ primary, reads }: ReconcileItem): boolean {
  return primary === null && Object.values(reads).every((r) => r === null || (Array.isArray(r) && r.length === 0));
}
