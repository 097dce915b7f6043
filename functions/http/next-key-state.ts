import { isDeepStrictEqual } from 'node:util';
import type { Action, KindName } from '../core/action.ts';
import { EXPECTATION_LIMIT_MS, type OpenExpectation, type StoredExpectation } from '../core/expectation.ts';
import type { Decision } from '../core/outcome.ts';
import type { Json } from '../store/attribute-value.ts';
import type { KeyState, VsockHold } from '../store/key-state.ts';
import type { NewKeyState } from '../store/write-key-state.ts';

/** A due time that moves by less than this is not worth a write: it is advice for a sweep that comes every few minutes. */
const DUE_SLACK_MS = 60_000;

/**
 * So far beyond its next visit a key is due that has come in time and asks for another one: keys that are visited every minute
 * cost a write an hour.
 */
const REGULAR_LEAD_MS = 3_600_000;

/**
 * A key that holds something is due at some time, so that the sweep finds it if its primary went while no relay saw it. Keys
 * are visited at least once a day; whoever is finds the time moved on before it comes.
 */
const HOLD_DUE_MS = 48 * 3_600_000;
const HOLD_RENEWAL_MS = 24 * 3_600_000;

export interface PassFacts {
  readonly uid: string;
  /** The key's state before the pass, if it has one under this uid. */
  readonly state: KeyState | undefined;
  /** What the key holds, whoever took it. */
  readonly hold: VsockHold | undefined;
  readonly open: readonly OpenExpectation[];
  readonly outcome: Decision;
  /** Failures in a row, this pass included. */
  readonly failures: number;
  /** The pause if the outcome is `retry`. */
  readonly pauseMs: number;
  readonly nowMs: number;
}

/** What a pass leaves behind for the next one. */
export function nextKeyState(facts: PassFacts): NewKeyState {
  const dueAtMs = dueAt(facts);
  const state = nextState(facts.state?.state, facts.outcome.state);
  return {
    uid: facts.uid,
    expectations: nextExpectations(facts.open, facts.outcome.actions, facts.nowMs),
    failures: facts.failures,
    ...(dueAtMs !== undefined && { dueAtMs }),
    ...(state !== undefined && { state }),
    ...(facts.hold !== undefined && { vsock: facts.hold }),
  };
}

/** Whether there is anything to remember. */
export function isEmpty(state: NewKeyState): boolean {
  return (
    state.expectations.length === 0 &&
    state.failures === 0 &&
    state.dueAtMs === undefined &&
    state.state === undefined &&
    state.vsock === undefined
  );
}

/** Whether two states mean the same; who wrote them and when does not matter. */
export function meansTheSame(before: KeyState, after: NewKeyState): boolean {
  return (
    before.uid === after.uid &&
    before.failures === after.failures &&
    isDueAlike(before.dueAtMs, after.dueAtMs) &&
    isDeepStrictEqual(before.expectations, after.expectations) &&
    isDeepStrictEqual(before.state, after.state) &&
    isDeepStrictEqual(before.vsock, after.vsock)
  );
}

/** Those still open, with their versions now known, and one for each action that asks for it. */
function nextExpectations(
  open: readonly OpenExpectation[],
  actions: readonly Action[],
  nowMs: number,
): readonly StoredExpectation[] {
  const made = actions
    .filter((action) => action.expect === true)
    .map((action) => ({ id: action.id, kind: kindOf(action), since: nowMs }));
  const remade = new Set(made.map((e) => e.id));
  return [...open.filter((e) => !remade.has(e.id)).map((e) => ({ ...e })), ...made];
}

function kindOf(action: Action): KindName {
  switch (action.verb) {
    case 'create':
    case 'update':
    case 'updateStatus':
      return action.object.kind;
    case 'patch':
    case 'delete':
    case 'subresource':
      return action.target.kind;
    case 'event':
      return 'Event';
  }
}

function dueAt(facts: PassFacts): number | undefined {
  const { state, hold, nowMs } = facts;
  const dueAtMs = dueByOutcome(facts);
  if (hold === undefined || dueAtMs !== undefined) return dueAtMs;
  const before = state?.dueAtMs ?? 0;
  return before > nowMs + HOLD_RENEWAL_MS ? before : nowMs + HOLD_DUE_MS;
}

function dueByOutcome({ outcome, state, nowMs, pauseMs }: PassFacts): number | undefined {
  switch (outcome.type) {
    case 'requeue-after':
      return dueForNext(state?.dueAtMs, nowMs + outcome.afterMs);
    case 'retry':
      return nowMs + pauseMs;
    case 'stale':
      return outcome.expectation.since + EXPECTATION_LIMIT_MS;
    case 'done':
    case 'busy':
      return undefined;
  }
}

/** The first time exactly then. */
function dueForNext(before: number | undefined, nextMs: number): number {
  if (before === undefined || before > nextMs + REGULAR_LEAD_MS) return nextMs;
  return before > nextMs - DUE_SLACK_MS ? before : nextMs + REGULAR_LEAD_MS;
}

/** As JSON has it, so that it equals itself when read back. */
function nextState(before: Json | undefined, outcome: unknown): Json | undefined {
  if (outcome === undefined) return before;
  if (outcome === null) return undefined;
  return JSON.parse(JSON.stringify(outcome)) as Json;
}

function isDueAlike(before: number | undefined, after: number | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return Math.abs(before - after) < DUE_SLACK_MS;
}
