import {
  type AnswerItem,
  type ReconcileAnswer,
  type ReconcileRequest,
  VERSION,
} from '../../events/envelope/envelope.ts';
import { TableUnavailableError } from '../store/errors.ts';
import type { KeyAddress, KeyState } from '../store/key-state.ts';
import { isHeldUnder } from '../store/lease-row.ts';
import { type KeyStates, readKeyStates } from '../store/read-key-states.ts';
import { releaseSlot } from '../store/slots-row.ts';
import type { Table } from '../store/table.ts';
import { releaseVsockId } from '../store/vsock-ids.ts';
import { deleteKeyState, putKeyState, type WriteResult, type Writer } from '../store/write-key-state.ts';
import { AnswerRoom } from './answer-room.ts';
import { type BackOff, pauseAfter } from './back-off.ts';
import type { Clock } from './clock.ts';
import { StaleTokenError } from './errors.ts';
import { obtainGrants } from './grants.ts';
import { errorFields, type Log } from './log.ts';
import type { BatchMetrics, MetricsSink } from './metrics.ts';
import { type AnyReconcile, type Pass, type PassInNeed, type PassInput, runPass } from './pass.ts';
import { type CheckedSnapshot, type ControllerShape, toSnapshot } from './snapshot.ts';
import { type TimeLimit, timeLimit } from './time-limit.ts';
import type { Timers } from './timers.ts';

/** What a controller's function is made of. */
export interface BatchParts {
  readonly controller: ControllerShape;
  readonly reconcile: AnyReconcile;
  readonly table: Table;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly backOff: BackOff;
  readonly log: Log;
  readonly metrics: MetricsSink;
}

/**
 * Runs a batch: reads lease and states at once, decides key by key, writes what has changed, side by side. A key whose row
 * could not be written in time hands out no actions.
 *
 * Throws MalformedMessageError, StaleTokenError, TableUnavailableError and what the SDK throws; then nothing was done.
 */
export async function runBatch(
  parts: BatchParts,
  request: ReconcileRequest,
  deadlineMs: number,
): Promise<ReconcileAnswer> {
  const startedMs = parts.clock();
  const snapshots = request.items.map((item) => toSnapshot(parts.controller, item));
  const limit = timeLimit(deadlineMs - startedMs, parts.timers);
  try {
    const states = await readStates(parts, request, limit);
    const run = new BatchRun(parts, request, states, limit);
    const items: Promise<AnswerItem>[] = [];
    for (const [i, item] of request.items.entries()) {
      const snapshot = snapshots[i];
      if (snapshot !== undefined) items.push(run.answerItem(item, snapshot));
      // Lets writes of earlier keys leave before the next decision takes the processor.
      await parts.timers.turn();
    }
    const answered = await Promise.all(items);
    parts.metrics(summary(parts, answered, run.rowWrites, startedMs));
    return { version: VERSION, deliveryId: request.deliveryId, token: request.token, items: answered };
  } finally {
    limit.release();
  }
}

async function readStates(parts: BatchParts, request: ReconcileRequest, limit: TimeLimit): Promise<KeyStates> {
  if (limit.passed) throw new TableUnavailableError('no time left to ask the table');
  const keys = request.items.map((item) => item.key);
  const read = readKeyStates(parts.table, request.cluster, parts.controller.name, keys);
  const states = await limit.race(read, undefined);
  if (states === undefined) throw new TableUnavailableError('the table did not answer in time');
  if (!isHeldUnder(states.lease, request.token)) throw new StaleTokenError("the token is not the lease's");
  return states;
}

type Item = ReconcileRequest['items'][number];

class BatchRun {
  rowWrites = 0;
  readonly #parts: BatchParts;
  readonly #request: ReconcileRequest;
  readonly #states: KeyStates;
  readonly #limit: TimeLimit;
  readonly #room = new AnswerRoom();

  constructor(parts: BatchParts, request: ReconcileRequest, states: KeyStates, limit: TimeLimit) {
    this.#parts = parts;
    this.#request = request;
    this.#states = states;
    this.#limit = limit;
  }

  async answerItem(item: Item, snapshot: CheckedSnapshot): Promise<AnswerItem> {
    const { key } = item;
    if (this.#limit.passed) return nothing(key, { type: 'left' });
    if (this.#states.unread.has(key)) return this.#retry(key, 1, 'its state could not be read');
    const { reconcile, clock, backOff, log } = this.#parts;
    const row = this.#states.states.get(key);
    const input = { reconcile, request: this.#request, item, snapshot, row, nowMs: clock(), backOff, log };
    const pass = runPass(input);
    if (pass.type === 'decided') return this.#finish(pass, row);
    return this.#limit.race(this.#decideWithGrants(input, pass), nothing(key, { type: 'left' }));
  }

  /** Gets what the pass needs and runs it again. */
  async #decideWithGrants(input: PassInput, { uid, needs, failuresIfLost }: PassInNeed): Promise<AnswerItem> {
    const { key } = input.item;
    const { table } = this.#parts;
    const { token, listedToken, timeMs: atMs, cluster } = this.#request;
    const asker = { table, address: this.#address(key), uid, row: input.row, writer: this.#writer };
    try {
      const obtained = await obtainGrants({ ...asker, snapshot: { token, listedToken, atMs } }, needs);
      if (obtained.type === 'conflict') return nothing(key, { type: 'busy' });
      const { grants, row } = obtained;
      const pass = runPass({ ...input, row, grants });
      if (pass.type !== 'decided') throw new Error('a defect: asks again for what was granted');
      const creates = pass.answer.actions.some((action) => action.verb === 'create');
      if (grants.migrationSlot?.type === 'admitted' && !creates) await releaseSlot(table, cluster, uid);
      return await this.#finish(pass, row);
    } catch (error) {
      this.#parts.log.error('needs not met', { key, ...errorFields(error) });
      return this.#retry(key, failuresIfLost, 'what it needs could not be had');
    }
  }

  async #finish(pass: Pass, row: KeyState | undefined): Promise<AnswerItem> {
    const { key } = pass.answer;
    const fit = this.#room.take(pass.answer);
    if (fit === 'left') return nothing(key, { type: 'left' });
    if (fit === 'too-large') return this.#retry(key, pass.failuresIfLost, 'its actions are too large to be sent');
    return this.#limit.race(this.#settle(pass, row), nothing(key, { type: 'left' }));
  }

  /** Writes the row, then hands out the answer. */
  async #settle(pass: Pass, row: KeyState | undefined): Promise<AnswerItem> {
    const { key } = pass.answer;
    try {
      const result = await this.#writeRow(key, pass, row);
      return result === 'written' ? pass.answer : nothing(key, { type: 'busy' });
    } catch (error) {
      this.#parts.log.error('state not written', { key, ...errorFields(error) });
      return this.#retry(key, pass.failuresIfLost, 'its state could not be written');
    }
  }

  async #writeRow(key: string, pass: Pass, row: KeyState | undefined): Promise<WriteResult> {
    const { table } = this.#parts;
    const change = pass.row;
    if (change.type === 'none') return 'written';
    this.rowWrites++;
    const address = this.#address(key);
    if (change.type === 'put') return putKeyState(table, address, row, change.next, this.#writer);
    // First what the key holds: its row is the only place that knows of it.
    const { vsock } = change.row;
    if (vsock !== undefined) await releaseVsockId(table, address.cluster, vsock.id, vsock.holders);
    return deleteKeyState(table, address, change.row, this.#writer);
  }

  #address(key: string): KeyAddress {
    return { cluster: this.#request.cluster, controller: this.#parts.controller.name, key };
  }

  get #writer(): Writer {
    const { token, deliveryId } = this.#request;
    return { token, deliveryId };
  }

  #retry(key: string, failures: number, reason: string): AnswerItem {
    return nothing(key, { type: 'retry', reason, afterMs: pauseAfter(failures, this.#parts.backOff) });
  }
}

function nothing(key: string, outcome: AnswerItem['outcome']): AnswerItem {
  return { key, outcome, actions: [] };
}

function summary(parts: BatchParts, items: readonly AnswerItem[], rowWrites: number, startedMs: number): BatchMetrics {
  const outcomes: Partial<Record<AnswerItem['outcome']['type'], number>> = {};
  for (const { key, outcome } of items) {
    outcomes[outcome.type] = (outcomes[outcome.type] ?? 0) + 1;
    if (outcome.type === 'retry') parts.log.warn('retry', { key, reason: outcome.reason, afterMs: outcome.afterMs });
  }
  return { controller: parts.controller.name, durationMs: parts.clock() - startedMs, outcomes, rowWrites };
}
