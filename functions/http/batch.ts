import { setImmediate as othersTurn } from 'node:timers/promises';
import {
  type AnswerItem,
  type ReconcileAnswer,
  type ReconcileRequest,
  VERSION,
} from '../../events/envelope/envelope.ts';
import { TableUnavailableError } from '../store/errors.ts';
import { isHeldUnder } from '../store/lease-row.ts';
import { type KeyStates, readKeyStates } from '../store/read-key-states.ts';
import type { Table } from '../store/table.ts';
import { deleteKeyState, putKeyState, type WriteResult } from '../store/write-key-state.ts';
import { AnswerRoom } from './answer-room.ts';
import { type BackOff, pauseAfter } from './back-off.ts';
import type { Clock } from './clock.ts';
import { StaleTokenError } from './errors.ts';
import { errorFields, type Log } from './log.ts';
import type { BatchMetrics, MetricsSink } from './metrics.ts';
import { type AnyReconcile, type Pass, runPass } from './pass.ts';
import { type CheckedSnapshot, type ControllerShape, toSnapshot } from './snapshot.ts';
import { type TimeLimit, timeLimit } from './time-limit.ts';

/** What a controller's function is made of. */
export interface BatchParts {
  readonly controller: ControllerShape;
  readonly reconcile: AnyReconcile;
  readonly table: Table;
  readonly clock: Clock;
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
  const limit = timeLimit(deadlineMs - startedMs);
  try {
    const states = await readStates(parts, request, limit);
    const run = new BatchRun(parts, request, states, limit);
    const items: Promise<AnswerItem>[] = [];
    for (const [i, item] of request.items.entries()) {
      const snapshot = snapshots[i];
      if (snapshot !== undefined) items.push(run.answerItem(item, snapshot));
      // Lets writes of earlier keys leave before the next decision takes the processor.
      await othersTurn();
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
    const pass = runPass({ reconcile, request: this.#request, item, snapshot, row, nowMs: clock(), backOff, log });
    const fit = this.#room.take(pass.answer);
    if (fit === 'left') return nothing(key, { type: 'left' });
    if (fit === 'too-large') return this.#retry(key, pass.failuresIfLost, 'its actions are too large to be sent');
    return this.#limit.race(this.#settle(pass), nothing(key, { type: 'left' }));
  }

  /** Writes the row, then hands out the answer. */
  async #settle(pass: Pass): Promise<AnswerItem> {
    const { key } = pass.answer;
    try {
      const result = await this.#writeRow(key, pass);
      return result === 'written' ? pass.answer : nothing(key, { type: 'busy' });
    } catch (error) {
      this.#parts.log.error('state not written', { key, ...errorFields(error) });
      return this.#retry(key, pass.failuresIfLost, 'its state could not be written');
    }
  }

  async #writeRow(key: string, { row }: Pass): Promise<WriteResult> {
    const { table, controller } = this.#parts;
    const { cluster, token, deliveryId } = this.#request;
    const writer = { token, deliveryId };
    const address = { cluster, controller: controller.name, key };
    if (row.type === 'none') return 'written';
    this.rowWrites++;
    if (row.type === 'delete') return deleteKeyState(table, address, row.row, writer);
    return putKeyState(table, address, this.#states.states.get(key), row.next, writer);
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
