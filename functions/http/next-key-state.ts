import { isDeepStrictEqual } from 'node:util';
import type { Action, KindName } from '../core/action.ts';
import { EXPECTATION_LIMIT_MS, type OpenExpectation, type StoredExpectation } from '../core/expectation.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Json } from '../store/attribute-value.ts';
import type { KeyState } from '../store/key-state.ts';
import type { NewKeyState } from '../store/write-key-state.ts';

/** A due time that moves by less than this is not worth a write: it is advice for a sweep that comes every few minutes. */
const DUE_SLACK_MS = 60_000;

export interface PassFacts {
  readonly uid: string;
  /** The key's state before the pass, if it has one under this uid. */
  readonly state: KeyState | undefined;
  readonly open: readonly OpenExpectation[];
  readonly outcome: Outcome;
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
  };
}

/** Whether there is anything to remember. */
export function isEmpty(state: NewKeyState): boolean {
  return (
    state.expectations.length === 0 && state.failures === 0 && state.dueAtMs === undefined && state.state === undefined
  );
}

/** Whether two states mean the same; who wrote them and when does not matter. */
export function meansTheSame(before: KeyState, after: NewKeyState): boolean {
  return (
    before.uid === after.uid &&
    before.failures === after.failures &&
    isDueAlike(before.dueAtMs, after.dueAtMs) &&
    isDeepStrictEqual(before.expectations, after.expectations) &&
    isDeepStrictEqual(before.state, after.state)
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
      return action.target.kind;
    case 'event':
      return 'Event';
  }
}

function dueAt({ outcome, nowMs, pauseMs }: PassFacts): number | undefined {
  switch (outcome.type) {
    case 'requeue-after':
      return nowMs + outcome.afterMs;
    case 'retry':
      return nowMs + pauseMs;
    case 'stale':
      return outcome.expectation.since + EXPECTATION_LIMIT_MS;
    case 'done':
    case 'busy':
      return undefined;
  }
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
