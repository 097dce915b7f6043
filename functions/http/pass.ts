import type { AnswerItem, AnswerOutcome, ReconcileItem, ReconcileRequest } from '../../events/envelope/envelope.ts';
import { MAX_REASON_LENGTH } from '../../events/envelope/limits.ts';
import type { Context } from '../core/context.ts';
import { EXPECTATION_LIMIT_MS, type OpenExpectation, openExpectations } from '../core/expectation.ts';
import type { Grants, Needs } from '../core/needs.ts';
import type { Decision, Outcome } from '../core/outcome.ts';
import type { KeyState } from '../store/key-state.ts';
import type { NewKeyState } from '../store/write-key-state.ts';
import { type BackOff, pauseAfter } from './back-off.ts';
import { goOn } from './go-on.ts';
import { errorFields, type Log } from './log.ts';
import { isEmpty, meansTheSame, nextKeyState } from './next-key-state.ts';
import type { CheckedSnapshot } from './snapshot.ts';

/** A controller's decision with its own types erased; the snapshot was checked against its reads. */
export type AnyReconcile = (snapshot: never, state: never, context: Context) => Outcome;

/** What has to happen to the key's row before the answer may be handed out. */
export type RowChange =
  | { readonly type: 'none' }
  | { readonly type: 'put'; readonly next: NewKeyState }
  | { readonly type: 'delete'; readonly row: KeyState };

/** A pass that has come to a decision. */
export interface Pass {
  readonly type: 'decided';
  readonly answer: AnswerItem;
  readonly row: RowChange;
  /** Failures in a row, should the row's change fail now. */
  readonly failuresIfLost: number;
}

/** A pass that has to be run again, with what it needs. */
export interface PassInNeed {
  readonly type: 'in-need';
  /** Of the primary. */
  readonly uid: string;
  readonly needs: Needs;
  readonly failuresIfLost: number;
}

export interface PassInput {
  readonly reconcile: AnyReconcile;
  readonly request: Pick<ReconcileRequest, 'token' | 'listedToken' | 'configuration'>;
  readonly item: ReconcileItem;
  readonly snapshot: CheckedSnapshot;
  /** The key's row, of whatever uid. */
  readonly row: KeyState | undefined;
  /** What the pass asked for when it was run before. */
  readonly grants?: Grants;
  readonly nowMs: number;
  readonly backOff: BackOff;
  readonly log: Log;
}

/** One pass over one key: what its controller decides, and what must be remembered of it. Touches nothing. */
export function runPass(input: PassInput): Pass | PassInNeed {
  const { row, nowMs } = input;
  const uid = input.item.primary?.metadata.uid;
  const state = row?.uid === uid ? row : undefined;
  const open = stillOpen(input, state);
  const outcome = decide(input, state, open);
  const failuresBefore = state?.failures ?? 0;
  const failuresIfLost = failuresBefore + 1;
  if (outcome.type === 'needs') return { type: 'in-need', uid: outcome.uid, needs: outcome.needs, failuresIfLost };
  const failures = failuresAfter(outcome, failuresBefore);
  const pauseMs = pauseAfter(failures, input.backOff);
  const answer: AnswerItem = {
    key: input.item.key,
    outcome: answerOutcome(outcome, pauseMs, nowMs),
    actions: outcome.actions,
  };
  const change =
    uid === undefined
      ? withoutPrimary(row)
      : rowChange(row, nextKeyState({ uid, state, hold: row?.vsock, open, outcome, failures, pauseMs, nowMs }));
  return { type: 'decided', answer, row: change, failuresIfLost };
}

/** Expectations of rows from before the last list are void: that list shows what became of them. */
function stillOpen({ request, item, nowMs }: PassInput, state: KeyState | undefined): readonly OpenExpectation[] {
  if (state === undefined || request.listedToken > state.token) return [];
  return openExpectations(state.expectations, item.results, item.positions, nowMs);
}

type Decided = Decision | (Extract<Outcome, { type: 'needs' }> & { readonly uid: string });

function decide(input: PassInput, state: KeyState | undefined, expectations: readonly OpenExpectation[]): Decided {
  const { request, item, nowMs, log, grants } = input;
  const context: Context = {
    nowMs,
    configuration: request.configuration,
    token: request.token,
    expectations,
    results: item.results,
    failures: state?.failures ?? 0,
    ...(grants !== undefined && { grants }),
  };
  try {
    const outcome = goOn(input.snapshot, context, (snapshot, at) =>
      input.reconcile(snapshot as never, state?.state as never, at),
    );
    requireDistinctIds(outcome);
    return outcome.type === 'needs' ? { ...outcome, uid: requireMayAsk(input) } : outcome;
  } catch (error) {
    log.error('reconcile threw', { key: item.key, ...errorFields(error) });
    return { type: 'retry', reason: `defect: ${error instanceof Error ? error.message : String(error)}`, actions: [] };
  }
}

/** There is nobody to give anything to without a primary. The primary's uid. */
function requireMayAsk({ item }: PassInput): string {
  const uid = item.primary?.metadata.uid;
  if (uid === undefined) throw new Error('asks for something, but there is no primary');
  return uid;
}

/** Results and expectations are told apart by id. */
function requireDistinctIds({ actions }: Outcome): void {
  if (new Set(actions.map((a) => a.id)).size !== actions.length) throw new Error('two actions have one id');
}

/**
 * Failures in a row after a pass. One that hands out writes has neither failed nor succeeded: if one of them fails, the next pass
 * counts it, on top of those before. Else a write that is refused every time would be tried at the first pause for ever.
 */
function failuresAfter({ type, actions }: Decision, before: number): number {
  if (type === 'retry') return before + 1;
  const isOpen = type === 'busy' || actions.some((action) => action.verb !== 'event');
  return isOpen ? before : 0;
}

function answerOutcome(outcome: Decision, pauseMs: number, nowMs: number): AnswerOutcome {
  switch (outcome.type) {
    case 'done':
    case 'busy':
      return { type: outcome.type };
    case 'requeue-after':
      return { type: 'requeue-after', afterMs: Math.max(0, outcome.afterMs) };
    case 'stale': {
      const { kind, resourceVersion, since } = outcome.expectation;
      return { type: 'stale', kind, resourceVersion, afterMs: Math.max(0, since + EXPECTATION_LIMIT_MS - nowMs) };
    }
    case 'retry':
      return { type: 'retry', reason: outcome.reason.slice(0, MAX_REASON_LENGTH), afterMs: pauseMs };
  }
}

/** The row goes when the primary is found absent. */
function withoutPrimary(row: KeyState | undefined): RowChange {
  return row === undefined ? { type: 'none' } : { type: 'delete', row };
}

function rowChange(row: KeyState | undefined, next: NewKeyState): RowChange {
  const unchanged = row === undefined ? isEmpty(next) : meansTheSame(row, next);
  return unchanged ? { type: 'none' } : { type: 'put', next };
}
