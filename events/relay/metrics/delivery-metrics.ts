import type { Action, ActionResult } from '../../../functions/core/action.ts';
import {
  MalformedMessageError,
  MessageTooLargeError,
  SignatureError,
  UnknownVersionError,
} from '../../envelope/errors.ts';
import { targetOf } from '../apply/expected-version.ts';
import { type FunctionClient, FunctionRefusal } from '../delivery/function-client.ts';
import type { Clock } from '../ports.ts';
import type { Metrics } from './metrics.ts';

type Functions = Pick<FunctionClient, 'reconcile'>;

/** What a batch brought: an answer, a refusal, something that is no answer to it, or nothing. */
type BatchResult = 'answered' | 'refused' | 'garbage' | 'unreachable';

const keyBuckets = [1, 2, 3, 5, 10, 20, 50, 100];
const byteBuckets = Array.from({ length: 7 }, (_, i) => 1024 * 4 ** i);
const secondBuckets = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/** The relay's own metrics of deliveries and of what came back. */
export class DeliveryMetrics {
  readonly #clock: Clock;
  readonly #deliveries;
  readonly #keys;
  readonly #bytes;
  readonly #latency;
  readonly #outcomes;
  readonly #actions;
  readonly #tooLarge;

  constructor(metrics: Metrics, clock: Clock) {
    this.#clock = clock;
    const own = 'virt_functions_relay';
    this.#deliveries = metrics.counter(`${own}_deliveries_total`, 'Batches sent to functions, by what came back.', [
      'controller',
      'result',
    ]);
    this.#keys = metrics.histogram(`${own}_batch_keys`, 'Keys in a batch.', ['controller'], keyBuckets);
    this.#bytes = metrics.histogram(`${own}_batch_bytes`, 'Encoded size of a batch.', ['controller'], byteBuckets);
    this.#latency = metrics.histogram(
      `${own}_function_seconds`,
      'Time from sending a batch to what came back.',
      ['controller'],
      secondBuckets,
    );
    this.#outcomes = metrics.counter(`${own}_outcomes_total`, 'Keys answered, by outcome.', ['controller', 'outcome']);
    const tooLarge = 'Snapshots of single keys that exceeded the cap.';
    this.#tooLarge = metrics.counter(`${own}_snapshots_too_large_total`, tooLarge, ['controller']);
    this.#actions = metrics.counter(`${own}_actions_total`, 'Actions of answers but events, by what became of them.', [
      'controller',
      'verb',
      'kind',
      'result',
    ]);
  }

  /** A key's snapshot exceeded the cap by itself, and was not sent. */
  tooLarge(controller: string): void {
    this.#tooLarge.inc({ controller });
  }

  /** The same functions, each delivery to them counted and timed. */
  measured(functions: Functions): Functions {
    return {
      reconcile: async (controller, request, body, timeoutMs) => {
        const before = this.#clock.monotonic();
        let result: BatchResult = 'answered';
        try {
          const answer = await functions.reconcile(controller, request, body, timeoutMs);
          for (const { outcome } of answer.items) this.#outcomes.inc({ controller, outcome: outcome.type });
          return answer;
        } catch (e) {
          result = resultOf(e);
          throw e;
        } finally {
          this.#deliveries.inc({ controller, result });
          this.#keys.observe({ controller }, request.items.length);
          this.#bytes.observe({ controller }, body.length);
          this.#latency.observe({ controller }, (this.#clock.monotonic() - before) / 1000);
        }
      },
    };
  }

  applied(controller: string, actions: readonly Action[], results: readonly ActionResult[]): void {
    for (const action of actions) {
      const result = results.find((r) => r.id === action.id);
      if (action.verb === 'event' || result === undefined) continue;
      this.#actions.inc({ controller, verb: action.verb, kind: targetOf(action).kind, result: result.status });
    }
  }
}

function resultOf(error: unknown): BatchResult {
  if (error instanceof FunctionRefusal) return 'refused';
  const garbage = [MalformedMessageError, MessageTooLargeError, SignatureError, UnknownVersionError];
  return garbage.some((kind) => error instanceof kind) ? 'garbage' : 'unreachable';
}
